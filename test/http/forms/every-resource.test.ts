import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { type Form, type FormRequest, hasForm, requestsIn } from '../../../src/http/contract/form.ts'
import { forms } from '../../../src/http/forms/forms.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import { type Key, membersToCreate, type Thing } from '../../../src/model/declaration/resource.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import { readAttributes, stepsFrom } from '../../../src/model/intent/attributes.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { deal, repeatable } from '../../support/schema.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, TestService } from '../../support/service/running-service.ts'
import {
  blankOf,
  lasting,
  type Made,
  type MadeThings,
  makeThings,
  type Step,
  shownBy,
} from '../../support/things/made-things.ts'

// Every operation of every other resource, in every form in which its declaration can be asked for. Deals, and what
// each form answers and refuses, are in form-matrix.test.ts.

let service: TestService
let things: MadeThings

before(async () => {
  service = await roomService()
  things = await makeThings(service.store)
})

for (const resource of repeatable.filter(({ name }) => name !== deal.name)) {
  suite(`a ${resource.name}`, () => {
    for (const operation of resource.operations) {
      for (const params of operation.examples) {
        test(`${operation.name} ${JSON.stringify(params)} does the same in every form`, () =>
          inEveryForm(resource, { operation, params }))
      }
    }
  })
}

suite('an operation name without its resource', () => {
  test('is enough where no other resource has it', async () => {
    const make = async () => (await service.request('POST', '/rest/v1/tasks', { body: { title: 'Call' } })).body
    const [first, second] = [await make(), await make()]
    const done = await service.request('POST', '/command/finish', { body: { id: first.id } })
    assert.equal(done.status, 200, done.text)
    assert.equal((await service.request('GET', `/rest/v1/tasks/${first.id}`)).body.status, 'done')
    const body = { task: second.id, action: 'finish' }
    assert.equal((await service.request('PUT', `/rest/commands/${randomUUID()}`, { body })).status, 201)
    const lost = await service.request('PUT', `/rest/commands/${randomUUID()}`, { body: { action: 'finish' } })
    assert.deepEqual([lost.status, lost.body.errors[0]?.pointer], [422, '/task'])
  })

  test('is a deal’s where deals have it, and else leads to the full names', async () => {
    const { body } = await service.request('POST', '/rest/v1/deals', { body: { name: 'Roof', price: 1 } })
    assert.equal((await service.request('POST', '/command/delete', { body: { id: body.id } })).status, 200)
    const unclear = await service.request('POST', '/command/change', { body: { id: 1 } })
    assert.equal(unclear.status, 404)
    assert.match(unclear.body.detail, /did you mean ChangeCustomer or ChangeTask or /)
  })
})

async function inEveryForm(resource: Resource, step: Step): Promise<void> {
  const { operation } = step
  const creates = operation.to === 'nothing'
  const allows = (thing: Thing) => things.decided(thing, step) !== undefined
  const way = creates ? { steps: [], thing: blankOf(resource) } : things.wayTo(resource, allows)
  assert.ok(way, 'examples lead to a thing that allows it')
  const expected = things.decided(way.thing, step)
  assert.ok(expected)
  let asked = 0
  for (const form of forms) {
    if (operation.forms !== 'every' && !hasForm(resource, form.name)) continue
    for (let nth = 0; ; nth++) {
      const target = creates ? '' : await things.make(resource, way.steps)
      const sample = { operation, params: things.referring(step), target, command: randomUUID() }
      const request = requestsIn(form, sample)[nth]
      if (request === undefined) break
      const outcome = form.name === 'attribute-update' ? asAttributes(resource, way.thing, request) : expected
      if (outcome === undefined) break
      asked++
      await comesTo(resource, form, request, target, step, way.thing, outcome)
    }
  }
  assert.ok(asked > 1, 'there are several forms')
}

/** What the attributes alone come to: they give no reasons, and nothing where they are as they were. */
function asAttributes(resource: Resource, thing: Thing, { body }: FormRequest): Made | undefined {
  const read = readAttributes(resource, body, thing)
  const [only] = 'wanted' in read ? stepsFrom(resource, thing, read.wanted) : []
  return only && 'params' in only ? things.decided(thing, { ...only, params: only.params as Params }) : undefined
}

async function comesTo(
  resource: Resource,
  form: Form,
  { method, path, body }: FormRequest,
  target: Key,
  { operation }: Step,
  start: Thing,
  expected: { readonly thing: Thing; readonly params: Params },
): Promise<void> {
  const whole = method === 'PUT' && form.name === 'attribute-update' && resource.put === 'anew'
  const answer = await service.request(method, path, {
    ...(body && { body: whole ? { ...givenIn(resource, start), ...body } : body }),
  })
  const said = `${form.name}, ${method} ${path}: ${answer.status} ${answer.text}`
  assert.ok(answer.status < 300, said)
  const id = target === '' ? madeBy(resource, answer) : target
  const found = await service.store.as(SERVICE).find(resource, id)
  const { revision } = expected.thing
  if (operation.removes) assert.equal(found, undefined, said)
  else assert.deepEqual(lasting(JSON.parse(found?.json ?? 'null')), lasting(shownBy(resource, expected.thing)), said)
  const event = await service.store.as(SERVICE).event(resource, id, revision)
  const { params, ...entry } = JSON.parse(event?.entry ?? '{}')
  assert.partialDeepStrictEqual(entry, {
    ...{ operation: operation.name, action: operation.words.action, type: operation.words.event },
    ...{ revision, form: form.name },
  })
  assert.deepEqual(params, expected.params, said)
  assert.equal(
    await service.store.as(SERVICE).event(resource, id, revision + 1),
    undefined,
    'one operation is one revision',
  )
}

/** What clients give of it, as they see it. */
function givenIn(resource: Resource, thing: Thing): object {
  const shown = shownBy(resource, thing)
  return Object.fromEntries(Object.keys(membersToCreate(resource)).map((name) => [name, shown[name]]))
}

/** The thing that a creation leads to. */
function madeBy(resource: Resource, { headers, body }: Answered): Key {
  const [, related] = /<([^>]+)>; rel="related"/.exec(String(headers.link)) ?? []
  const address = String(headers.location ?? related ?? body.links[resource.name])
  const id = address.slice(address.lastIndexOf('/') + 1)
  return resource.kinds.id?.name === 'integer' ? Number(id) : id
}

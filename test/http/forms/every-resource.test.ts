import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { type Form, type FormRequest, requestsIn } from '../../../src/http/forms/form.ts'
import { forms } from '../../../src/http/forms/forms.ts'
import { readAttributes, stepsFrom } from '../../../src/model/attributes.ts'
import type { Operation, Params } from '../../../src/model/operation.ts'
import { type Key, membersToCreate, type Resource, type Thing } from '../../../src/model/resource.ts'
import { operationsOn, operationsOnExisting, resources, whyNotNow } from '../../../src/model/resources.ts'
import { intentTo } from '../../support/deals/intents.ts'
import { type Answered, runService, type TestService } from '../../support/service/running-service.ts'

// Every operation of every resource, in every form in which its declaration can be asked for. What each form answers
// for deals, and what it refuses, is in form-matrix.test.ts.

let service: TestService
/** One of each, to which examples may refer. */
const named = new Map<string, Key>()

before(async () => {
  service = await runService()
  for (const resource of resources.toSorted((a, b) => a.references.length - b.references.length)) {
    named.set(resource.name, await make(resource, [creationOf(resource)]))
  }
})
after(() => service.close())

interface Step {
  readonly operation: Operation
  readonly params: Params
}

function creationOf(resource: Resource): Step {
  const operation = operationsOn(resource).find(({ to }) => to === 'nothing')
  assert.ok(operation, `a ${resource.name} can be made`)
  return { operation, params: operation.examples[0] }
}

/** The same with a thing that exists, where it refers to one. */
function referring({ operation, params }: Step): Params {
  const references = Object.entries(operation.params).flatMap(([name, { kind }]) =>
    kind.refersTo === undefined || (params[name] ?? null) === null ? [] : [[name, named.get(kind.refersTo)]],
  )
  return { ...params, ...Object.fromEntries(references) }
}

async function make({ name }: Resource, steps: readonly Step[]): Promise<Key> {
  let target: Key | undefined
  for (const step of steps) {
    const asked = { resource: name, ...(target !== undefined && { target }) }
    const outcome = await service.store.perform(
      intentTo(step.operation.words.action, undefined, referring(step), asked),
    )
    assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
    target = outcome.thing.id
  }
  assert.ok(target !== undefined)
  return target
}

const now = new Date().toISOString()
const defaults = { currency: 'EUR' }

/** What the declaration makes of a thing; nothing when it is refused or makes no difference. */
function decided(thing: Thing, step: Step): { readonly thing: Thing; readonly params: Params } | undefined {
  const { operation } = step
  if (operation.to !== 'nothing' && whyNotNow(operation, thing, now) !== undefined) return undefined
  const isGiven = operation.to === 'nothing' && Object.hasOwn(operation.params, 'currency')
  const decision = operation.decide(
    thing,
    { ...(isGiven && defaults), ...referring(step) },
    { now, exists: () => true },
  )
  if (!('thing' in decision)) return undefined
  return operation.differences && Object.keys(decision.params).length === 0 ? undefined : decision
}

const blankOf = (resource: Resource): Thing =>
  resource.blank(resource.kinds.id?.name === 'integer' ? 0 : '', now) as unknown as Thing

/** The shortest way of examples to a thing that allows the step. */
function wayTo(resource: Resource, goal: Step): { readonly steps: readonly Step[]; readonly thing: Thing } {
  const creation = creationOf(resource)
  const first = decided(blankOf(resource), creation)
  assert.ok(first)
  const examples = operationsOnExisting(resource)
    .filter(({ removes }) => !removes)
    .flatMap((operation) => operation.examples.map((params) => ({ operation, params })))
  const ways = [{ steps: [creation], thing: first.thing }]
  const seen = new Set<string>()
  for (const way of ways) {
    if (decided(way.thing, goal) !== undefined) return way
    for (const step of examples) {
      const next = decided(way.thing, step)
      const kind = next && examples.map((each) => (decided(next.thing, each) === undefined ? '-' : '+')).join('')
      if (next === undefined || kind === undefined || seen.has(kind)) continue
      seen.add(kind)
      ways.push({ steps: [...way.steps, step], thing: next.thing })
    }
  }
  throw new Error(`no examples lead to a ${resource.name} that allows ${goal.operation.name}`)
}

for (const resource of resources) {
  suite(`a ${resource.name}`, () => {
    for (const operation of operationsOn(resource)) {
      for (const params of operation.examples) {
        test(`${operation.name} ${JSON.stringify(params)} does the same in every form`, () =>
          inEveryForm(resource, { operation, params }))
      }
    }
  })
}

async function inEveryForm(resource: Resource, step: Step): Promise<void> {
  const { operation } = step
  const creates = operation.to === 'nothing'
  const way = creates ? { steps: [], thing: blankOf(resource) } : wayTo(resource, step)
  const expected = decided(way.thing, step)
  assert.ok(expected)
  let asked = 0
  for (const form of forms) {
    if (resource.forms !== 'every' && !resource.forms.includes(form.name)) continue
    for (let nth = 0; ; nth++) {
      const target = creates ? '' : await make(resource, way.steps)
      const sample = { operation, params: referring(step), target, command: randomUUID() }
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
function asAttributes(resource: Resource, thing: Thing, { body }: FormRequest): ReturnType<typeof decided> {
  const read = readAttributes(resource, body, thing, false)
  const [only] = 'wanted' in read ? stepsFrom(resource, thing, read.wanted) : []
  return only && 'params' in only ? decided(thing, { ...only, params: only.params as Params }) : undefined
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
  const found = await service.store.find(resource, id)
  const { revision } = expected.thing
  if (operation.removes) assert.equal(found, undefined, said)
  else assert.deepEqual(lasting(JSON.parse(found?.json ?? 'null')), lasting(shownBy(resource, expected.thing)), said)
  const event = await service.store.event(id, revision)
  const { params, ...entry } = JSON.parse(event?.entry ?? '{}')
  assert.partialDeepStrictEqual(entry, {
    ...{ operation: operation.name, action: operation.words.action, type: operation.words.event },
    ...{ revision, form: form.name },
  })
  assert.deepEqual(params, expected.params, said)
  assert.equal(await service.store.event(id, revision + 1), undefined, 'one operation is one revision')
}

const shownBy = (resource: Resource, thing: Thing) => JSON.parse(resource.toJson(thing as never))

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

/** What does not depend on when a thing was made and under which id. */
function lasting({ id, createdAt, updatedAt, deletedAt, ...rest }: { readonly [field: string]: unknown }): object {
  return { ...rest, deleted: (deletedAt ?? null) !== null }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import { hasForm, requestsIn } from '../../../src/http/contract/form.ts'
import { forms } from '../../../src/http/forms/forms.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Key } from '../../../src/model/declaration/resource.ts'
import type { Operation } from '../../../src/model/declaration/schema.ts'
import { personMembers } from '../../../src/model/intent/persons.ts'
import { creationOf, resourceNamed } from '../../../src/model/schema/resources.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { isOwn } from '../../../src/values/json/own.ts'
import { memberIn, memberPointer, withMembers } from '../../../src/values/members.ts'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { repeatable } from '../../support/schema.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import type { Answered } from '../../support/service/running-service.ts'
import { type MadeThings, makeThings } from '../../support/things/made-things.ts'

// Every operation that takes a person, in every form, added fields included: it takes a user, whatever the case of the
// name, and nobody else. Doors are in test/doors/person-fields.test.ts.

let service: ClosedService
let things: MadeThings
before(async () => {
  service = await runClosedService()
  for (const on of ['deal', 'customer', 'task'])
    assert.equal((await ask('POST', '/fields', { on, name: 'helper', title: 'Helper', kind: 'user' })).status, 201)
  things = await makeThings(service.store)
})
after(() => service.close())

const ask = (method: string, path: string, body?: object): Promise<Answered> =>
  service.request(method, path, { headers: basic('admin'), ...(body && { body }) })

const asked = new Set<string>()

for (const { name } of repeatable) {
  suite(`a ${name}`, () => {
    test('takes users only, in every form of every operation that takes a person', async () => {
      const resource = resourceNamed(service.store.schemas.current, name)
      for (const operation of resource.operations)
        for (const { name: member, field } of personMembers(resource, operation))
          await inEveryForm(operation, member, field)
    })
  })
}

test('all fields for persons were asked', () => {
  const fields = service.store.schemas.current.resources.flatMap(({ name, kinds, fields }) =>
    Object.keys(kinds).flatMap((field) =>
      kinds[field]?.namesUser && (isOwn(field) || fields[field]?.by === 'client') ? [`${name}.${field}`] : [],
    ),
  )
  assert.deepEqual([...asked].toSorted(), fields.toSorted())
  assert.ok(fields.length >= 6)
})

type Target = Key | ''

async function inEveryForm(operation: Operation, member: string, field: string): Promise<void> {
  const { on } = operation
  let count = 0
  for (const form of forms) {
    if (operation.forms !== 'every' && !hasForm(on, form.name)) continue
    for (let nth = 0; ; nth++) {
      const one = await request(nth, 'EDITOR')
      if (one === undefined) break
      count++
      asked.add(`${on.name}.${field}`)
      const { answer, target, said } = one
      assert.ok(answer.status < 300, said)
      const found = await service.store.as(SERVICE).find(on, target === '' ? madeBy(on, answer) : target)
      assert.equal(memberIn(JSON.parse(found?.json ?? 'null'), field), 'editor', said)
      const wrong = (await request(nth, 'Edda')) ?? assert.fail(said)
      const { status, body } = wrong.answer
      assert.deepEqual([status, body.code, body.errors.length], [422, 'invalid-body', 1], wrong.said)
      const [fault] = body.errors
      assert.deepEqual([fault?.code, fault?.with], ['not-found', { on: 'user', id: 'Edda' }], wrong.said)
      const places = [field, member].map(memberPointer)
      assert.ok(
        places.some((place) => fault?.pointer?.endsWith(place)),
        wrong.said,
      )
    }

    async function request(nth: number, text: string) {
      const creates = operation.to === 'nothing'
      const target: Target = creates ? '' : await things.make(on, [{ operation: creationOf(on), params: plain(on) }])
      const example = (operation.examples[0] ?? {}) as Params
      const needed = creates ? things.referring({ operation, params: plain(on) }) : {}
      const params = withMembers(needed, [[member, text]]) as Params
      const whole = operation.name === 'move' ? { ...example, ...params } : params
      const sent = requestsIn(form, { operation, params: whole, target, command: randomUUID() })[nth]
      if (sent === undefined) return undefined
      // A replacement has all of it.
      const isWhole = sent.method === 'PUT' && form.name === 'attribute-update' && on.put === 'anew'
      const body = isWhole ? { ...(await given(target)), ...sent.body } : sent.body
      const answer = await ask(sent.method, sent.path, body)
      return { answer, target, said: `${form.name}, ${sent.method} ${sent.path}: ${answer.status} ${answer.text}` }
    }

    async function given(target: Target): Promise<object> {
      const found = await service.store.as(SERVICE).find(on, target)
      const {
        id: _id,
        revision: _revision,
        createdAt: _at,
        updatedAt: _then,
        own: _own,
        ...fields
      } = JSON.parse(found?.json ?? '{}')
      return fields
    }
  }
  assert.ok(count > 1, `${on.name} ${operation.name} has several forms`)
}

/** Of a creation, without persons. */
function plain(on: Operation['on']): Params {
  const [example = {}] = creationOf(on).examples
  const needed = creationOf(on).params
  const isOptional = (name: string): boolean => needed[name]?.kind.namesUser === true && !needed[name].required
  return Object.fromEntries(Object.entries(example).filter(([name]) => !isOptional(name))) as Params
}

function madeBy(on: Operation['on'], { headers, body }: Answered): Key {
  const [, related] = /<([^>]+)>; rel="related"/.exec(String(headers.link)) ?? []
  const address = String(headers.location ?? related ?? body.links[on.name])
  const id = address.slice(address.lastIndexOf('/') + 1)
  return on.kinds.id?.name === 'integer' ? Number(id) : id
}

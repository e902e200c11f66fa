import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import type { Params } from '../../src/model/declaration/operation.ts'
import type { Key } from '../../src/model/declaration/resource.ts'
import type { Operation } from '../../src/model/declaration/schema.ts'
import { personMembers } from '../../src/model/intent/persons.ts'
import { creationOf, resourceNamed } from '../../src/model/schema/resources.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { memberIn, withMembers } from '../../src/values/members.ts'
import type { DoorAdapter } from '../support/doors/adapter.ts'
import { adapters } from '../support/doors/adapters.ts'
import { testOnEachStore as test } from '../support/rooms/each-store.ts'
import { repeatable } from '../support/schema.ts'
import { basic, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import type { TestService } from '../support/service/running-service.ts'
import { type MadeThings, makeThings } from '../support/things/made-things.ts'

// Every operation that takes a person, through every door: it takes a user, and nobody else. Forms are in
// test/http/forms/person-fields.test.ts.

let closed: ClosedService
let service: TestService
let things: MadeThings
before(async () => {
  closed = await runClosedService()
  const request: TestService['request'] = (method, path, asking = {}) =>
    closed.request(method, path, { ...asking, headers: { ...asking.headers, ...basic('admin') } })
  service = { ...closed, request }
  for (const on of ['deal', 'customer', 'task']) {
    const body = { on, name: 'helper', title: 'Helper', kind: 'user' }
    assert.equal((await service.request('POST', '/fields', { body })).status, 201)
  }
  things = await makeThings(service.store)
})
after(() => closed.close())

for (const adapter of adapters) {
  suite(`through ${adapter.door}`, () => {
    for (const { name } of repeatable) {
      test(`a ${name} takes users only`, async () => {
        const resource = resourceNamed(service.store.schemas.current, name)
        for (const operation of resource.operations)
          for (const { name: member, field } of personMembers(resource, operation))
            await takesUsersOnly(adapter, operation, member, field)
      })
    }
  })
}

async function takesUsersOnly(
  adapter: DoorAdapter,
  operation: Operation,
  member: string,
  field: string,
): Promise<void> {
  const { on } = operation
  const creates = operation.to === 'nothing'
  const perform = async (text: string) => {
    const params = withMembers(creates ? plain(on) : {}, [[member, text]]) as Params
    const target: Key | '' = creates ? '' : await things.make(on, [{ operation: creationOf(on), params: plain(on) }])
    return { target, told: await adapter.perform(service, { operation, params, target, command: '' }) }
  }
  const { target, told } = await perform('EDITOR')
  assert.ok('thing' in told, `${operation.name} ${field}: ${JSON.stringify(told)}`)
  const id = target === '' ? (told.thing?.id as Key) : target
  const found = await service.store.as(SERVICE).find(on, on.kinds.id?.name === 'integer' ? Number(id) : id)
  assert.equal(memberIn(JSON.parse(found?.json ?? 'null'), field), 'editor')
  const { told: refused } = await perform('Edda')
  assert.ok('problem' in refused, `${operation.name} ${field}: ${JSON.stringify(refused)}`)
  assert.equal(refused.problem.code, 'invalid-body')
  assert.match(String(refused.problem.detail), /names user Edda, which does not exist/)
}

/** Of a creation, without persons who may be nobody. */
function plain(on: Operation['on']): Params {
  const { examples, params } = creationOf(on)
  const isPlain = (name: string): boolean => params[name]?.kind.namesUser !== true || params[name].required
  return Object.fromEntries(Object.entries(examples[0]).filter(([name]) => isPlain(name))) as Params
}

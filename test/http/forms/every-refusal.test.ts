import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { type FormRequest, requestsIn } from '../../../src/http/contract/form.ts'
import { forms } from '../../../src/http/forms/forms.ts'
import { tell } from '../../../src/languages/tell.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Key, Thing } from '../../../src/model/declaration/resource.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import { isDeleted, whyNotNow } from '../../../src/model/schema/resources.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { deal, repeatable } from '../../support/schema.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, TestService } from '../../support/service/running-service.ts'
import { type MadeThings, makeThings, type Step } from '../../support/things/made-things.ts'

// What every operation of every resource refuses, in every form in which it can be asked for. Of deals it is the stale
// revision alone: the others are in form-matrix.test.ts.

let service: TestService
let things: MadeThings
before(async () => {
  service = await roomService()
  things = await makeThings(service.store)
})

for (const resource of repeatable) {
  suite(`a ${resource.name}`, () => {
    for (const operation of resource.operations) {
      const step = { operation, params: operation.examples[0] }
      if (operation.to !== 'nothing') {
        test(`${operation.name} on another revision`, () => refusesStale(resource, step))
      }
      if (resource.name === deal.name) continue
      test(`${operation.name} with an unknown parameter`, () => refusesParameters(resource, step))
      if (operation.to === 'nothing') continue
      test(`${operation.name} of an unknown ${resource.name}`, () => refusesUnknown(resource, step))
      test(`${operation.name} in a wrong state`, () => refusesState(resource, step))
    }
  })
}

const now = new Date().toISOString()
const UNKNOWN = 'zzzzzzzzzz'

async function refusesParameters(resource: Resource, step: Step): Promise<void> {
  const target = step.operation.to === 'nothing' ? '' : await allowing(resource, step)
  const params: Params = { ...step.params, [UNKNOWN]: 1 }
  const carrying = asked({ ...step, params }, target).filter(({ body }) => JSON.stringify(body ?? '').includes(UNKNOWN))
  await areRefused(carrying, target, resource, {}, ({ status, body }) => {
    assert.equal(status, 422)
    assert.equal(body.code, 'invalid-body')
    assert.ok(body.errors.some(({ pointer }) => pointer?.endsWith(`/${UNKNOWN}`)))
  })
}

async function refusesUnknown(resource: Resource, step: Step): Promise<void> {
  const target = resource.kinds.id?.name === 'integer' ? 999_999_999 : randomUUID()
  await areRefused(asked(step, target), target, resource, {}, ({ status, body }) => {
    assert.equal(status, 404)
    assert.equal(body.code, `${resource.name}-not-found`)
  })
}

async function refusesStale(resource: Resource, step: Step): Promise<void> {
  const target = await allowing(resource, step)
  await areRefused(asked(step, target), target, resource, { 'if-match': '"another"' }, ({ status, body }) => {
    assert.equal(status, 412)
    assert.equal(body.code, 'stale-revision')
  })
}

async function refusesState(resource: Resource, step: Step): Promise<void> {
  const { operation } = step
  const isRefused = (thing: Thing): boolean =>
    whyNotNow(operation, thing, now) !== undefined && (operation.to === 'deleted' || !isDeleted(thing))
  const way = things.wayTo(resource, isRefused)
  // Some operations are allowed on any live thing.
  if (way === undefined) return assert.deepEqual(operation.allowed, [])
  const target = await things.make(resource, way.steps)
  // Attributes that are as they should be ask for nothing.
  const named = asked(step, target, 'attribute-update')
  await areRefused(named, target, resource, {}, ({ status, body }) => {
    assert.equal(status, 409)
    assert.partialDeepStrictEqual(body, { code: 'wrong-state', operation: operation.name })
    const why = whyNotNow(operation, way.thing, now)
    assert.ok(why !== undefined && body.detail.includes(tell(why)))
  })
}

/** A thing that allows the step. */
async function allowing(resource: Resource, step: Step): Promise<Key> {
  const way = things.wayTo(resource, (thing) => things.decided(thing, step) !== undefined)
  assert.ok(way, 'examples lead to a thing that allows it')
  return things.make(resource, way.steps)
}

/** The requests for a step, in every form but one. */
function asked(step: Step, target: Key, except = ''): readonly FormRequest[] {
  const { operation } = step
  const { forms: own } = operation.on
  return forms
    .filter(({ name }) => name !== except && (own === 'every' || own.includes(name)))
    .flatMap((form) => requestsIn(form, { operation, params: things.referring(step), target, command: randomUUID() }))
}

async function areRefused(
  requests: readonly FormRequest[],
  target: Key,
  resource: Resource,
  headers: { readonly [name: string]: string },
  check: (answer: Answered) => void,
): Promise<void> {
  assert.ok(requests.length > 0)
  const before = target === '' ? undefined : await service.store.as(SERVICE).find(resource, target)
  for (const { method, path, body } of requests) {
    const answer = await service.request(method, path, { ...(body && { body }), headers })
    try {
      check(answer)
    } catch (cause) {
      assert.fail(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}: ${cause}`)
    }
  }
  if (target !== '')
    assert.deepEqual(await service.store.as(SERVICE).find(resource, target), before, 'nothing was stored')
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { doors } from '../../src/doors/doors.ts'
import { tell } from '../../src/languages/tell.ts'
import { type Key, membersToCreate, type Thing } from '../../src/model/declaration/resource.ts'
import type { Resource, Schema } from '../../src/model/declaration/schema.ts'
import {
  creationOf,
  isDeleted,
  operationsOnExisting,
  resourceNamed,
  whyNotNow,
} from '../../src/model/schema/resources.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import type { DoorAdapter, Told } from '../support/doors/adapter.ts'
import { adapters, ways } from '../support/doors/adapters.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { repeatable, resources } from '../support/schema.ts'
import { runService, type TestService } from '../support/service/running-service.ts'
import { blankOf, lasting, type MadeThings, makeThings, type Step, shownBy } from '../support/things/made-things.ts'

// Every operation of every resource through every door: the same thing, event, revision and refusal as in a form.

let service: TestService
let things: MadeThings
before(async () => {
  service = await runService()
  things = await makeThings(service.store)
})
after(() => service.close())

test('every door is in the matrix', (t) => {
  t.diagnostic(`DOOR_SEED=${SEED}`)
  assert.deepEqual(
    adapters.map(({ door }) => door),
    doors.map(({ name }) => name),
  )
})

const now = new Date().toISOString()

// What doors do and refuse hardly differs by the operation: each does half of the operations with one of its examples,
// and a fourth of the operations is refused. DOOR_SEED takes others; `npm run test:long -- doors` takes all.
const SEED = seedOf('DOOR_SEED', 12)
const all = process.env.DOOR_OPERATIONS === 'all'
const takesTurn = (door: number, operation: number, of: number): boolean => all || (door + operation + SEED) % of === 0
const drawn = <T>(examples: readonly T[], at: number): readonly T[] =>
  all ? examples : examples.filter((_, index) => index === (at + SEED) % examples.length)

for (const [nth, adapter] of ways.entries()) {
  suite(`through ${adapter.door}${adapters.includes(adapter) ? '' : ', in parts'}`, () => {
    for (const resource of repeatable) {
      for (const [at, operation] of resource.operations.entries()) {
        const called = `${resource.name}: ${operation.name}`
        for (const params of takesTurn(nth, at, 2) ? drawn(operation.examples, nth + at) : []) {
          test(`${called} ${JSON.stringify(params)} does the same`, () =>
            doesTheSame(adapter, resource, { operation, params }))
        }
        const [params] = operation.examples
        const step = { operation, params }
        if (!takesTurn(nth, at, 4)) continue
        test(`${called} is decided once under a command id`, () => isDecidedOnce(adapter, resource, step))
        test(`${called} is tried, and nothing is stored`, () => isTried(adapter, resource, step))
        test(`${called} with wrong parameters is refused alike`, () => refusesParameters(adapter, resource, step))
        if (operation.to === 'nothing') continue
        test(`${called} on an unknown ${resource.name} is refused alike`, () => refusesUnknown(adapter, resource, step))
        test(`${called} on a stale revision is refused alike`, () => refusesStale(adapter, resource, step))
        test(`${called} in a wrong state is refused alike`, () => refusesState(adapter, resource, step))
      }
    }
  })
}

/** A thing that allows the step; none for a creation. */
async function begin(resource: Resource, step: Step): Promise<{ readonly start: Thing; readonly target: Key | '' }> {
  if (step.operation.to === 'nothing') return { start: blankOf(resource), target: '' }
  const way = things.wayTo(resource, (thing) => things.decided(thing, step) !== undefined)
  assert.ok(way, 'examples lead to a thing that allows it')
  return { start: way.thing, target: await things.make(resource, way.steps) }
}

const sampleOf = (step: Step, target: Key, command = '') => ({
  operation: step.operation,
  params: things.referring(step),
  target,
  command,
})

function thingIn(told: Told): Record<string, unknown> | null {
  assert.ok('thing' in told, JSON.stringify(told))
  return told.thing
}

function problemIn(told: Told): { readonly [member: string]: unknown } {
  assert.ok('problem' in told, JSON.stringify(told))
  return told.problem
}

async function doesTheSame(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const { operation } = step
  const { start, target } = await begin(resource, step)
  const expected = things.decided(start, step)
  assert.ok(expected)
  const thing = thingIn(await adapter.perform(service, sampleOf(step, target)))
  const id = target === '' ? (thing?.id as Key) : target
  const found = await service.store.as(SERVICE).find(resource, id)
  if (operation.removes) assert.equal(found, undefined)
  else {
    assert.deepEqual(lasting(JSON.parse(found?.json ?? 'null')), lasting(shownBy(resource, expected.thing)))
    // A protocol may say less of a thing that is deleted.
    const shown = own(resource, thing ?? {})
    assert.deepEqual({ ...JSON.parse(found?.json ?? 'null'), ...shown }, JSON.parse(found?.json ?? 'null'))
  }
  const { revision } = expected.thing
  const event = await service.store.as(SERVICE).event(resource, id, revision)
  const { params, ...entry } = JSON.parse(event?.entry ?? '{}')
  assert.partialDeepStrictEqual(entry, {
    ...{ operation: operation.name, action: operation.words.action, type: operation.words.event },
    ...{ revision, form: adapter.door },
  })
  assert.deepEqual(params, expected.params)
  assert.equal(
    await service.store.as(SERVICE).event(resource, id, revision + 1),
    undefined,
    'one operation is one revision',
  )
}

/** The fields of the resource that an answer shows. */
const own = ({ names }: Resource, thing: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => names.includes(name)))

async function isDecidedOnce(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const { start, target } = await begin(resource, step)
  const sample = sampleOf(step, target, randomUUID())
  const first = thingIn(await adapter.perform(service, sample))
  const again = thingIn(await adapter.perform(service, sample))
  assert.deepEqual(again, first)
  const command = await service.store.as(SERVICE).command(sample.command)
  assert.equal(command?.status, 'applied')
  assert.equal(command?.revision, start.revision + 1)
}

/** What only a dry run makes has no id, and nowhere leads to it. */
async function isTried(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const { start, target } = await begin(resource, step)
  const expected = things.decided(start, step)
  assert.ok(expected)
  const before = await lastEvent()
  const thing = thingIn(await adapter.perform(service, { ...sampleOf(step, target), dryRun: true }))
  assert.deepEqual(await lastEvent(), before)
  await isUntouched(resource, target, start)
  if (thing === null) return assert.ok(step.operation.removes || isDeleted(expected.thing))
  const shown = shownBy(resource, expected.thing)
  if (target === '') assert.equal(thing.id ?? null, null)
  const { id: _, ...members } = own(resource, thing) as { readonly [member: string]: unknown }
  assert.deepEqual(lasting({ ...shown, ...members }), lasting(shown))
}

const lastEvent = async (): Promise<unknown> =>
  (await service.request('GET', '/events?sort=-sequence&maxpagesize=1')).body.items?.[0]

async function refusesParameters(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const { operation } = step
  const [required] = Object.entries(operation.params).find(([, member]) => member.required) ?? []
  const { start, target } = await begin(resource, step)
  const { [required ?? '']: _dropped, ...params } = things.referring(step)
  const wrong = required === undefined ? { ...params, zzzzzzzzzz: 1 } : params
  const decision = operation.decide(start, wrong, { now, exists: () => true, queryFaults: () => [] })
  assert.ok('faults' in decision)
  const problem = problemIn(await adapter.perform(service, { ...sampleOf(step, target), params: wrong }))
  const faults = decision.faults.map((fault) => `${fault.at.pointer?.slice(1)} ${tell(fault)}`)
  for (const fault of faults) assert.match(String(problem.detail), new RegExp(escaped(fault)))
  assert.equal(problem.code, 'invalid-body')
  await isUntouched(resource, target, start)
}

const escaped = (text: string): string => text.replaceAll(/[^\w ]/g, '.')

async function refusesUnknown(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const target = resource.kinds.id?.name === 'integer' ? 999_999_999 : randomUUID().toUpperCase()
  const problem = problemIn(await adapter.perform(service, sampleOf(step, target)))
  assert.equal(problem.code, `${resource.name}-not-found`)
  const shown = typeof target === 'number' ? target : JSON.stringify(target.toLowerCase())
  assert.equal(problem.detail, `There is no ${resource.name} ${shown}.`, 'in the spelling of answers')
}

async function refusesStale(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const { start, target } = await begin(resource, step)
  const problem = problemIn(
    await adapter.perform(service, { ...sampleOf(step, target), expectedRevision: start.revision + 5 }),
  )
  assert.equal(problem.code, 'stale-revision')
  await isUntouched(resource, target, start)
}

async function refusesState(adapter: DoorAdapter, resource: Resource, step: Step): Promise<void> {
  const { operation } = step
  const way = things.wayTo(
    resource,
    (thing) => whyNotNow(operation, thing, now) !== undefined && (operation.to === 'deleted' || !isDeleted(thing)),
  )
  // Some operations are allowed on any live thing.
  if (way === undefined) return assert.deepEqual(operation.allowed, [])
  const target = await things.make(resource, way.steps)
  const problem = problemIn(await adapter.perform(service, sampleOf(step, target)))
  assert.equal(problem.code, 'wrong-state')
  const why = whyNotNow(operation, way.thing, now)
  assert.ok(why)
  assert.match(String(problem.detail), new RegExp(escaped(tell(why))))
  await isUntouched(resource, target, way.thing)
}

async function isUntouched(resource: Resource, target: Key | '', start: Thing): Promise<void> {
  if (target === '') return
  assert.equal((await service.store.as(SERVICE).find(resource, target))?.revision, start.revision, 'nothing was stored')
}

test('what is wrong with all parameters together is told in the same words everywhere', async () => {
  const deals = resourceNamed(resources[0]?.schema as Schema, 'deal')
  const operation = operationsOnExisting(deals).find(({ needsOne }) => needsOne)
  assert.ok(operation)
  const { action, noun } = operation.words
  const target = await things.make(deals, [{ operation: creationOf(deals), params: creationOf(deals).examples[0] }])
  const at = `/rest/v1/deals/${target}`
  const asked = { action, params: {} }
  const inForms = [
    ['PUT', `${at}/${operation.name}`, {}],
    ['POST', `${at}/${noun}`, {}],
    ['POST', `${at}/${noun}`, new URLSearchParams()],
    ['POST', `${at}:${operation.name}`, {}],
    ['PUT', at, asked],
    ['PUT', `${at}/commands/${randomUUID()}`, asked],
    ['PUT', `/rest/commands/${randomUUID()}`, { deal: target, ...asked }],
    ['POST', `/command/${action}/`, { id: target }],
  ] as const
  const told = [
    ...(await Promise.all(inForms.map(async ([method, path, body]) => service.request(method, path, { body })))).map(
      ({ body }) => body.detail,
    ),
    ...(
      await Promise.all(adapters.map((each) => each.perform(service, { operation, params: {}, target, command: '' })))
    ).map((each) => problemIn(each).detail),
  ]
  const batch = await service.request('POST', '/rest/v1/batch', { body: { commands: [{ deal: target, ...asked }] } })
  const [{ problem }] = batch.body.results as [{ problem: { detail: string } }]
  const sentence = `what was sent needs one of ${Object.keys(operation.params).join(', ')}`
  for (const detail of [...told, problem.detail]) assert.equal(String(detail).replace(/\.$/, ''), sentence)
})

test('every door shows values with parts as REST does', async (t) => {
  const withParts = resources.filter(({ kinds }) => Object.values(kinds).some(({ name }) => name === 'json'))
  assert.notEqual(withParts.length, 0)
  for (const { name: called, path, operations } of withParts) {
    const creation = operations.find(({ to }) => to === 'nothing')
    for (const params of creation?.examples ?? []) {
      const { status, text } = await service.request('POST', path, { body: params })
      assert.equal(status, 201, text)
      const made = JSON.parse(text)
      // The schema has changed if the thing is a part of it.
      const { schema } = service.store.as(SERVICE)
      for (const { door, read } of adapters) {
        const resource = resourceNamed(schema, called as string)
        await t.test(`${door}: ${called} ${JSON.stringify(params)}`, async () =>
          assert.deepEqual(own(resource, await read(service, resource, made.id)), own(resource, made)),
        )
      }
    }
  }
})

test('an operation on a deleted thing is refused alike', async () => {
  for (const resource of repeatable.filter(({ keepsDeleted }) => keepsDeleted)) {
    const way = things.wayTo(resource, isDeleted)
    assert.ok(way)
    const target = await things.make(resource, way.steps)
    const operation = operationsOnExisting(resource).find(({ to }) => to !== 'deleted')
    assert.ok(operation && Object.keys(membersToCreate(resource)).length > 0)
    for (const adapter of adapters) {
      const step = { operation, params: operation.examples[0] }
      const problem = problemIn(await adapter.perform(service, sampleOf(step, target)))
      assert.equal(problem.code, `${resource.name}-deleted`, adapter.door)
    }
  }
})

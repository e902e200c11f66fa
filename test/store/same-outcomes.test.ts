import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Key, membersToCreate } from '../../src/model/declaration/resource.ts'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { isObject } from '../../src/values/json/is-object.ts'
import { assertPeriods } from '../support/database/kept-periods.ts'
import { assertTotals } from '../support/database/kept-totals.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { assertSearchIndex } from '../support/database/search-index.ts'
import { intentTo, intentToUpdate } from '../support/deals/intents.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { repeatable as resources, schema } from '../support/schema.ts'
import { simpleStore, type ToldStore } from '../support/things/simple-store.ts'

// Stories are made of the declarations alone: a resource that is added to the list is told of without a word here.

let databases: readonly OwnDatabase[]
let stores: readonly Store[]
const simple = simpleStore()
before(async () => {
  databases = [ownSqlite('ready'), await ownPostgres('ready')]
  stores = await Promise.all(
    databases.map(({ url }) => openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))),
  )
})
after(async () => {
  for (const store of stores) await store.close()
  for (const database of databases) database.remove()
})

/** What is asked, of one of the things that the story has made so far, or of none that there is. */
interface Step {
  readonly resource: string
  readonly thing: number
  /** Attributes where there is none. */
  readonly action: string | undefined
  readonly params: unknown
  /** Whether the attributes are the whole thing. */
  readonly whole: boolean
  /** Which of the things made so far a reference among the parameters names. */
  readonly refersTo: number
  readonly command: number | undefined
  readonly guard: number | undefined
  readonly dryRun: boolean
}

const COMMANDS = 6
const THINGS = 3
/** What no parameter takes. */
const oddities: readonly unknown[] = [{}, { amount: -1 }, { nonsense: true }, 7]

/** Every value that the declaration shows of a field, and some that hardly any field takes. */
function valuesOf(resource: Resource, field: string): readonly unknown[] {
  const given = resource.operations.flatMap(({ examples, sets = {} }) =>
    examples.flatMap((example) =>
      Object.entries(example).flatMap(([param, value]) => ((sets[param] ?? param) === field ? [value] : [])),
    ),
  )
  const { example } = resource
  return [...given, ...given, ...(field in example ? [example[field]] : []), true, false, null, '']
}

const attributesOf = (resource: Resource): fc.Arbitrary<unknown> =>
  fc
    .subarray([...resource.names], { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...valuesOf(resource, name))]))),
    )

const wholeOf = (resource: Resource): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.keys(membersToCreate(resource)).map((name) => [name, fc.constantFrom(...valuesOf(resource, name))]),
    ),
    {
      requiredKeys: Object.entries(membersToCreate(resource)).flatMap(([name, member]) =>
        member.required ? [name] : [],
      ),
    },
  )

function askedOf(resource: Resource): fc.Arbitrary<Pick<Step, 'action' | 'params' | 'whole'>> {
  const operation = fc.constantFrom(...resource.operations).chain(({ words, examples }) =>
    fc.record({
      action: fc.oneof(
        { weight: 9, arbitrary: fc.constant(words.action) },
        { weight: 1, arbitrary: fc.constant('Nonsense') },
      ),
      params: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom<unknown>(...examples) },
        { weight: 1, arbitrary: fc.constantFrom(...oddities) },
      ),
      whole: fc.constant(false),
    }),
  )
  const update = fc.boolean().chain((whole) =>
    fc.record({
      action: fc.constant(undefined),
      params: whole ? wholeOf(resource) : attributesOf(resource),
      whole: fc.constant(whole),
    }),
  )
  return fc.oneof({ weight: 3, arbitrary: operation }, { weight: 1, arbitrary: update })
}

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const step: fc.Arbitrary<Step> = fc.constantFrom(...resources).chain((resource) =>
  fc
    .tuple(
      askedOf(resource),
      fc.record({
        thing: fc.nat(THINGS),
        refersTo: fc.nat(THINGS),
        command: seldom(fc.nat(COMMANDS - 1)),
        guard: seldom(fc.integer({ min: 1, max: 4 })),
        dryRun: fc.nat(9).map((n) => n === 0),
      }),
    )
    .map(([asked, rest]) => ({ resource: resource.name, ...asked, ...rest })),
)

/**
 * Every story begins with two of each resource that refers to nothing, and with one for each reference of the others, to
 * another thing each: so that some can be removed while they are referred to, and others cannot.
 */
const beginning: readonly Step[] = resources
  .toSorted((a, b) => a.references.length - b.references.length)
  .flatMap((resource) => {
    const { name, references } = resource
    const creation = resource.operations.find(({ to }) => to === 'nothing')
    const referring = references.length === 0 ? [{}, {}] : references.map(({ field }) => ({ [field]: 0 }))
    return referring.map((reference, refersTo): Step => {
      const params = { ...creation?.examples[0], ...reference }
      const rest = { command: undefined, guard: undefined, dryRun: false, whole: false }
      return { resource: name, thing: 0, action: creation?.words.action, params, refersTo, ...rest }
    })
  })

type Made = ReadonlyMap<string, Key[]>

/** A story told to one store; ids are told by the order in which they came up, times not at all. */
async function tell(store: ToldStore, story: string, steps: readonly Step[]): Promise<unknown[]> {
  const made: Made = new Map(resources.map(({ name }) => [name, []]))
  const told: unknown[] = []
  for (const { resource: name, thing, action, params, whole, refersTo, command, guard, dryRun } of steps) {
    const resource: Resource = resourceNamed(schema, name)
    const creates = resource.operations.some(({ to, words }) => to === 'nothing' && words.action === action)
    const ids = made.get(name) ?? []
    const target = creates ? undefined : thing === THINGS ? unknownId(resource) : ids[thing % ids.length]
    const asked: Parameters<typeof intentTo>[3] = {
      resource: name,
      ...(target !== undefined && { target }),
      ...(command !== undefined && { command: `${story}-${command}` }),
      ...(guard !== undefined && { guard: { revisions: [guard], required: false } }),
      dryRun,
    }
    const sent = referring(resource, params, refersTo, made)
    const outcome = await performAlone(
      store,
      action === undefined
        ? { ...intentToUpdate('', sent, asked), change: { attributes: sent, whole } }
        : intentTo(action, undefined, sent, asked),
    )
    if (outcome.kind === 'applied' && !dryRun && !ids.includes(outcome.thing.id)) ids.push(outcome.thing.id)
    // The id that a dry run shows may be that of the next thing.
    told.push(anonymous(outcome, '', made))
  }
  const desk = store.as(SERVICE)
  for (const [name, ids] of made) {
    for (const id of ids) {
      told.push(
        anonymous(
          [await desk.find(resourceNamed(schema, name), id), await desk.event(resourceNamed(schema, name), id, 2)],
          '',
          made,
        ),
      )
    }
  }
  for (let n = 0; n < COMMANDS; n++) told.push(anonymous((await desk.command(`${story}-${n}`)) ?? null, '', made))
  return told
}

const hasNumbers = ({ kinds }: Resource): boolean => kinds.id?.name === 'integer'
const unknownId = (resource: Resource): Key =>
  hasNumbers(resource) ? Number.MAX_SAFE_INTEGER : '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'

/** The same parameters, with a thing of the story where they refer to one: other numbers differ between the stores. */
function referring({ references }: Resource, params: unknown, nth: number, made: Made): unknown {
  if (!isObject(params)) return params
  const named = references
    .filter(({ field }) => (params[field] ?? null) !== null)
    .map(({ field, to }) => [field, made.get(to)?.[nth] ?? unknownId(resourceNamed(schema, to))])
  return { ...params, ...Object.fromEntries(named) }
}

/** The members that hold a key. */
const keyed = new Set(['id', 'subject', ...resources.flatMap(({ references }) => references.map(({ field }) => field))])

/** The same on both stores: documents are read, so that a number is told apart from an id. */
function anonymous(value: unknown, name: string, made: Made): unknown {
  if (Array.isArray(value)) return value.map((each) => anonymous(each, '', made))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, anonymous(each, member, made)]))
  }
  if (keyed.has(name)) return keyOf(value, made)
  if (typeof value !== 'string') return value
  // It is kept if it is of the same second, which depends on the moment.
  if (name === 'previousAt') return 'then'
  if (value.startsWith('{')) return anonymous(JSON.parse(value), '', made)
  return value
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(UUID, 'an id')
    .replaceAll(numbered, '$1 of some number')
}

/** A thing in a sentence, by its number. */
const numbered = new RegExp(`\\b(${resources.map(({ name }) => name).join('|')}) \\d+`, 'g')
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

function keyOf(value: unknown, made: Made): unknown {
  for (const [name, ids] of made) {
    const at = ids.findIndex((id) => String(id) === String(value))
    if (at !== -1) return `${name} ${at}`
  }
  return typeof value === 'number' || String(value).search(UUID) === 0 ? 'another' : value
}

test('both stores and a simple model tell the same stories of every resource', async () => {
  const seed = seedOf('SEED')
  process.stdout.write(`seed ${seed}\n`)
  let stories = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const story = `story-${stories++}`
      const [expected, ...told] = await Promise.all(
        [simple, ...stores].map((store) => tell(store, story, [...beginning, ...steps])),
      )
      for (const each of told) assert.deepEqual(each, expected)
    }),
    { numRuns: Number(process.env.STORIES ?? 30), seed },
  )
  for (const database of databases) await assertSearchIndex(database)
  for (const database of databases) await assertTotals(database)
  for (const database of databases) await assertPeriods(database)
})

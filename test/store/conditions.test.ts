import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../src/demo/random.ts'
import { valueIn } from '../../src/model/declaration/operation.ts'
import type { Key, Thing } from '../../src/model/declaration/resource.ts'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { personFields } from '../../src/model/intent/persons.ts'
import type { Deal } from '../../src/model/nouns/deal/deal.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import { referencedFirst } from '../../src/model/schema/resources.ts'
import { type Collection, filterable } from '../../src/queries/collection.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { writeJsonFilter } from '../../src/queries/expressions/json.ts'
import { beginMatches, type MatchFacts, matches, readThing } from '../../src/queries/matches.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { type Condition, type Filter, isTerm } from '../../src/queries/query.ts'
import { readTerm } from '../../src/queries/term.ts'
import { openMaintenance, openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import type { Store } from '../../src/store/port/store.ts'
import { userRows } from '../../src/store/rows/audited/account.ts'
import { shownDocument } from '../../src/store/rows/shown-document.ts'
import { caseless, fold } from '../../src/values/fold.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { pipelines } from '../support/deals/pipelines.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { drawFilter, valuesAmong } from '../support/inputs/drawn-conditions.ts'
import { type DrawnThings, drawThings } from '../support/inputs/drawn-things.ts'
import { deal } from '../support/schema.ts'

// A condition means the same about one thing in memory and in SQL: random things are stored on both databases, and each
// random condition is asked of the desk and judged of every thing in memory. CONDITION_SEED=… draws the same again;
// `npm run test:long -- conditions` judges 100,000 pairs.

const ownKinds = [
  ...([
    'text',
    'integer',
    'number',
    'amount',
    'boolean',
    'date',
    'instant',
    'url',
    'choice',
    'choices',
    'user',
  ] as const),
]
const values = ['b', 'a', 'Café', 'Großhandel', 'ﾃﾞｽｸ', 'Ä'].map((value) => ({ value, title: value }))

/** Added fields, each with an index and without one. */
const fields = ownKinds.flatMap((kind) =>
  [true, false].map((indexed) => ({
    ...{ on: 'deal', name: `${kind}${indexed ? 'Indexed' : ''}`, title: kind, kind, indexed },
    ...((kind === 'choice' || kind === 'choices') && { options: { values } }),
  })),
)

/** With a second pipeline, so that the order of the stages is not the same of all deals. */
const source = { ...NOTHING_ADDED, version: 1, changedAt: '2026-01-01T00:00:00.000Z', pipelines, fields }
const schema = buildSchema(source)
/** Without those that the model is made of: random ones make no model. */
const resources = referencedFirst(schema).filter(({ shapes }) => shapes === undefined)

const ROUNDS = Number(process.env.CONDITION_ROUNDS ?? 1)
const SEED = seedOf('CONDITION_SEED')
const THINGS = 25
const CONDITIONS = 20

test('a condition matches in memory exactly what both stores find', async (t) => {
  t.diagnostic(`CONDITION_SEED=${SEED}`)
  for (let round = 0; round < ROUNDS; round++) {
    const seed = SEED + round
    const random = randomFrom(seed)
    const things = drawThings(resources, THINGS, random)
    await using filled = await fillStores(things)
    const facts = factsOf(things)
    for (const resource of resources) {
      const collection = collectionNamed(schema, resource.plural)
      const own = things.get(resource.name) ?? []
      const valuesOf = valuesAmong(own, (name) => relatedThings(things, name))
      for (let nth = 0; nth < CONDITIONS; nth++) {
        const filter = drawFilter(collection, valuesOf, random)
        const sort = sortOf(collection, random(60))
        const asked: AskedFilter = { seed, resource, collection, filter, sort, count: random(4) === 0 }
        await compare(asked, own, facts, filled.stores)
      }
    }
  }
})

test('a part of each word of a closed list is found in any spelling', async () => {
  const things = drawThings(resources, THINGS, randomFrom(1))
  await using filled = await fillStores(things)
  const facts = factsOf(things)
  const texts = values.flatMap(({ value }) => [value, value.toUpperCase(), value.normalize('NFD'), fold(value)])
  for (const resource of resources.filter(({ name }) => name === 'deal' || name === 'task')) {
    const collection = collectionNamed(schema, resource.plural)
    const lists = filterable(collection).filter(({ kind }) => kind.titled?.values !== undefined)
    assert.ok(lists.length > 0, resource.plural)
    for (const field of lists) {
      for (const text of new Set(texts)) {
        const term = readTerm(field, 'contains', text)
        assert.ok('values' in term)
        const asked = { seed: 1, resource, collection, filter: [term], sort: '', count: false }
        await compare(asked, things.get(resource.name) ?? [], facts, filled.stores)
      }
    }
  }
})

interface AskedFilter {
  readonly seed: number
  readonly resource: Resource
  readonly collection: Collection
  readonly filter: Filter
  /** These choose the way in which SQL looks; they change nothing about what matches. */
  readonly sort: string
  readonly count: boolean
}

type Stores = readonly (readonly [name: string, store: Store])[]

const sortOf = ({ fields }: Collection, drawn: number): string => {
  const shown = [...fields.values()].filter(({ hidden, kind }) => !hidden && !kind.unordered)
  return shown[drawn]?.name ?? ''
}

async function compare(asked: AskedFilter, things: readonly Thing[], facts: MatchFacts, stores: Stores): Promise<void> {
  const answers = await answersOf(asked, things, facts, stores)
  const wrong = things.find(({ id }) => isDifferent(answers, id))
  if (wrong === undefined) return
  const differs = async (filter: Filter): Promise<boolean> =>
    isDifferent(await answersOf({ ...asked, filter }, [wrong], facts, stores), wrong.id)
  const filter = await shrunk(asked.filter, differs)
  const told = await answersOf({ ...asked, filter }, [wrong], facts, stores)
  const said = Object.fromEntries([...told].map(([name, ids]) => [name, ids.has(wrong.id)]))
  const { seed, resource, sort, count } = asked
  assert.fail(
    [
      `CONDITION_SEED=${seed}: one side matches a ${resource.name} and another does not`,
      `filter: ${JSON.stringify(writeJsonFilter(filter))}, sort: ${sort}, count: ${count}`,
      `thing: ${resource.toJson(wrong as never)}`,
      JSON.stringify(said),
    ].join('\n'),
  )
}

const isDifferent = (answers: ReadonlyMap<string, ReadonlySet<Key>>, id: Key): boolean =>
  new Set([...answers.values()].map((ids) => ids.has(id))).size > 1

/** The ids that each side finds. */
async function answersOf(
  { resource, collection, filter, sort, count }: AskedFilter,
  things: readonly Thing[],
  facts: MatchFacts,
  stores: Stores,
): Promise<ReadonlyMap<string, ReadonlySet<Key>>> {
  const answers = new Map<string, ReadonlySet<Key>>()
  const judged = (judge: (thing: Thing) => boolean) => new Set(things.filter(judge).map(({ id }) => id))
  answers.set(
    'memory',
    judged((thing) => matches(filter, thing, facts)),
  )
  answers.set(
    'memory, from documents, in steps',
    judged((thing) =>
      stepByStep(filter, readThing(collection, shownDocument(resource)(resource.toJson(thing as never))), facts),
    ),
  )
  const parsed = parseQuery(collection, `maxpagesize=${THINGS}${sort === '' ? '' : `&sort=${sort}`}`)
  assert.ok('query' in parsed)
  for (const [name, store] of stores) {
    const page = await store.as(SERVICE).page(collection, [], { ...parsed.query, filter, count })
    if (count) assert.equal(page.total, page.items.length, JSON.stringify(writeJsonFilter(filter)))
    answers.set(name, new Set(page.items.map((json) => (JSON.parse(json) as Thing).id)))
  }
  return answers
}

function stepByStep(filter: Filter, thing: object, facts: MatchFacts): boolean {
  const match = beginMatches(filter, thing, facts)
  for (;;) {
    const found = match.advance(() => true)
    if (found !== undefined) return found
  }
}

/** The smallest part of a filter about which the sides still differ. */
async function shrunk(filter: Filter, differs: (filter: Filter) => Promise<boolean>): Promise<Filter> {
  for (const smaller of partsOf(filter)) {
    if (await differs(smaller)) return shrunk(smaller, differs)
  }
  return filter
}

const partsOf = (filter: Filter): readonly Filter[] => [
  ...(filter.length > 1 ? filter.map((each) => [each]) : []),
  ...filter.flatMap((condition, at) => withinCondition(condition).map((each) => filter.toSpliced(at, 1, ...each))),
]

/** What may stand for a condition: fewer values, fewer alternatives, or one of them alone. */
function withinCondition(condition: Condition): readonly Filter[] {
  if (isTerm(condition)) {
    const { values } = condition
    return values.length === 1 ? [] : values.map((_, at) => [{ ...condition, values: values.toSpliced(at, 1) }])
  }
  const { any } = condition
  return [
    ...any,
    ...any.flatMap((filter, at) => [
      [{ ...condition, any: any.toSpliced(at, 1) }],
      ...partsOf(filter).map((part) => [{ ...condition, any: any.toSpliced(at, 1, part) }]),
    ]),
  ]
}

/** What a condition can ask of other things. */
function factsOf(things: DrawnThings): MatchFacts {
  return {
    related: ({ plural }, key) => relatedThings(things, plural).find(({ id }) => id === key),
    hidden({ name }, thing) {
      const { status, updatedAt } = thing as Deal
      return (name === 'stageSince') === (status === 'open') ? updatedAt : null
    },
    isUser: (text) => usersAmong(things).some((name) => caseless(name) === caseless(text)),
  }
}

/** Some of the texts for persons are names of users, in that case or another. */
const usersAmong = (things: DrawnThings): readonly string[] => {
  const persons = [...things].flatMap(([name, those]) =>
    personFields(resources.find((each) => each.name === name) as Resource).flatMap(({ field }) =>
      those.map((thing) => valueIn(thing, field)).filter((value) => typeof value === 'string'),
    ),
  )
  const known = persons.filter((_, at) => at % 3 === 0)
  return [...new Set(known.map((name, at) => [name, name.toUpperCase(), name.toLowerCase()][at % 3] ?? name))]
}

const relatedThings = (things: DrawnThings, collection: string): readonly Thing[] =>
  things.get(resources.find(({ plural }) => plural === collection)?.name ?? '') ?? []

/** Both databases with these things, and a period for each deal. */
async function fillStores(things: DrawnThings): Promise<AsyncDisposable & { readonly stores: Stores }> {
  await using opened = new AsyncDisposableStack()
  const stores: (readonly [string, Store])[] = []
  for (const [name, make] of ownDatabases) {
    const database = await make()
    opened.defer(async () => database.remove())
    await fill(database, things)
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    opened.defer(() => store.close())
    await store.schemas.adopt({ ...source, version: 2 })
    stores.push([name, store])
  }
  const kept = opened.move()
  return { stores, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function fill(database: OwnDatabase, things: DrawnThings): Promise<void> {
  const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: false })
  const written = resources.map((resource) => ({
    resource,
    things: (things.get(resource.name) ?? []).map(withoutBigints),
  }))
  assert.equal(await maintenance.fill({ things: written, events: [], commands: [] }), 'filled')
  const [now, role] = [source.changedAt, 'reader'] as const
  const user = { fullName: null, email: null, role, locale: null, timeZone: null, disabled: false, developer: false }
  const users = usersAmong(things).map((name) =>
    userRows.values({ ...user, name, createdAt: now, updatedAt: now, revision: 1, invited: false, lastSeenAt: null }),
  )
  await database.insert(
    'users',
    users.map((values) => Object.fromEntries(userRows.columns.map((column, at) => [column, values[at] as never]))),
  )
  const deals = (things.get('deal') ?? []) as readonly Deal[]
  await database.insert(
    'periods',
    deals.map(({ id, pipeline, stage, status, updatedAt }) => ({
      ...{ id: `${id}.1`, deal_id: id, revision: 1 },
      ...{ pipeline, stage, status, since: updatedAt },
    })),
  )
  await database.rows(`UPDATE deals SET stage_since = CASE status WHEN 'open' THEN updated_at END,
    closed_at = CASE status WHEN 'open' THEN NULL ELSE updated_at END`)
  for (const each of deals) {
    if (typeof each.paid !== 'bigint') continue
    await database.rows(
      'UPDATE deals SET paid_thousandths = ?, doc = ? WHERE id = ?',
      each.paid,
      deal.toJson(each),
      each.id,
    )
  }
}

/** Nothing that is done today writes a total beyond the safe integers. */
const withoutBigints = (thing: Thing): Thing =>
  Object.fromEntries(
    Object.entries(thing).map(([name, value]) => [name, typeof value === 'bigint' ? 0 : value]),
  ) as unknown as Thing

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { type Collection, fieldOf } from '../../../src/queries/collection.ts'
import { writeCursor } from '../../../src/queries/cursor.ts'
import { parseQuery } from '../../../src/queries/parse/parse-query.ts'
import type { Query, SortTerm } from '../../../src/queries/query.ts'
import { withKey } from '../../../src/queries/sort.ts'
import { readBoundedPage, readPage } from '../../../src/store/select/read-page.ts'
import { boundedSelect, countSelect, drivingFields, drivingTrees, select } from '../../../src/store/select/select.ts'
import { searchPage } from '../../../src/store/sqlite/read/search-page.ts'
import type { RunStep } from '../../../src/store/sqlite/read/search-text.ts'
import { sqlite } from '../../../src/store/sqlite/sql/dialect.ts'
import { insertRows, openSampleTables, rowsOf } from '../../support/database/sample-tables.ts'
import { fc } from '../../support/inputs/fast-check.ts'
import type { Plain, PlainRow, PlainSort } from '../../support/inputs/naive-evaluator.ts'
import {
  customer,
  deal,
  dealsCustomer,
  dealsCustomers,
  keysFound,
  questions,
  searchFor,
  sortsWithNulls,
  uuids,
  withCustomers,
} from '../../support/inputs/questions.ts'
import { collections } from '../../support/schema.ts'

const indexed = openSampleTables()
const unindexed = openSampleTables({ indexes: false })

/** Rows that are gone with the example: to make the tables takes many times as long as to ask them. */
function fill(
  db: ReturnType<typeof openSampleTables>,
  collection: Collection,
  rows: readonly PlainRow[],
  related: readonly PlainRow[],
): Disposable & { readonly db: typeof db } {
  db.exec('BEGIN')
  insertRows(db, collection, rows)
  insertRows(db, collections.customers, related)
  return { db, [Symbol.dispose]: () => db.exec('ROLLBACK') }
}

type Run = (query: Query) => ReturnType<typeof readPage>

interface SortedList {
  readonly collection: Collection
  readonly sort: readonly SortTerm[]
}

function read({ collection, sort }: SortedList, at: string): Query {
  const parsed = parseQuery(collection, at, { sort })
  assert.ok('query' in parsed, `${at}: ${inspect(parsed)}`)
  return parsed.query
}

const sortTerms = (collection: Collection, sort: readonly PlainSort[]): readonly SortTerm[] =>
  withKey(
    collection,
    sort.map(({ field, descending, nullsFirst }) => ({
      field: fieldOf(collection, field),
      descending,
      ...(nullsFirst && { nullsFirst }),
    })),
  )

/** The same query at another place of its list. */
const placed = (raw: string, place: string): string =>
  [...raw.split('&').filter((each) => each !== '' && !/^(page|after|before)=/.test(each)), place].join('&')

function numbered(list: SortedList, raw: string, run: Run): readonly string[] {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { items, hasMore } = run(read(list, placed(raw, `page=${page}`)))
    found.push(...items)
    if (!hasMore) return found
  }
}

/** Every page on the way there, and every page on the way back. */
function thereAndBack(list: SortedList, raw: string, run: Run) {
  const there: (readonly string[])[] = []
  const back: (readonly string[])[] = []
  let at = raw
  for (;;) {
    const query = read(list, at)
    const { items, hasMore, last } = run(query)
    there.push(items)
    if (!hasMore || last === undefined) break
    at = placed(at, `after=${writeCursor(list.collection, query.sort, last)}`)
  }
  for (;;) {
    const query = read(list, at)
    const { items, hasLess, first } = run(query)
    back.unshift(items)
    if (!hasLess || first === undefined) return { there, back }
    at = placed(at, `before=${writeCursor(list.collection, query.sort, first)}`)
  }
}

for (const [collection, values, keys] of [
  [collections.customers, customer, Array.from({ length: 30 }, (_, n) => n + 1)],
  [collections.deals, deal, uuids(30)],
] as const) {
  test(`every filter, sort and way to page gives exactly the ${collection.name} that match, in order`, () => {
    const rowOf = fc.record(values as Readonly<Record<string, fc.Arbitrary<Plain>>>)
    const asked = { ...values, [collection.key]: fc.constantFrom<Plain>(...keys) }
    const filters = collection.name === 'deals' ? { ...asked, ...dealsCustomer, deleted: fc.boolean() } : asked
    fc.assert(
      fc.property(
        fc.array(rowOf, { maxLength: keys.length }),
        collection.name === 'deals' ? dealsCustomers : fc.constant([]),
        questions(collection, filters),
        sortsWithNulls(collection),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.nat({ max: keys.length - 1 }),
        (drawn, related, all, sort, size, indexes, place) => {
          const rows: PlainRow[] = drawn.map((row, at) => ({ ...row, [collection.key]: keys[at] ?? '' }))
          using filled = fill(indexes ? indexed : unindexed, collection, rows, related)
          const { db } = filled
          const raw = searchFor(all, [], size)
          const list = { collection, sort: sortTerms(collection, sort) }
          const expected = keysFound(collection, withCustomers(rows, related), all, sort).map(String)
          const query = read(list, raw)
          const drivers = [...drivingFields(collection, query), ...drivingTrees(collection, query)]
          const led = drivers.map((driving) => ({ driving }))
          const leadsThereAndBack = (run: Run) => {
            const { there, back } = thereAndBack(list, raw, run)
            assert.deepEqual(there.flat(), expected, raw)
            assert.deepEqual(back, there, raw)
          }
          for (const way of ['sorted', 'planned', ...led] as const) {
            const run = (query: Query) => readPage(query, rowsOf(db, select(collection, query, sqlite, way)))
            assert.deepEqual(numbered(list, raw, run), expected, raw)
            leadsThereAndBack(run)
          }
          leadsThereAndBack((query) => {
            const chosen = boundedSelect(collection, query, sqlite)
            if (chosen === undefined) return readPage(query, rowsOf(db, select(collection, query, sqlite)))
            const page = readBoundedPage(
              query,
              chosen,
              (each) => readPage(query, rowsOf(db, each)),
              (each) => rowsOf(db, each),
            )
            assert.ok(page)
            return page
          })
          assert.equal(rowsOf(db, countSelect(collection, query, sqlite))[0]?.[0], expected.length)
          // A row of the whole list, as a place among those that match.
          const whole = keysFound(collection, withCustomers(rows, related), [], sort).map(String)
          if (place >= whole.length || !expected.every((key) => whole.includes(key))) return
          const run = (query: Query) => readPage(query, rowsOf(db, select(collection, query, sqlite)))
          const { last = assert.fail() } = run(read(list, `maxpagesize=${place + 1}`))
          const cursor = writeCursor(collection, list.sort, last)
          const found = (way: string) =>
            run(read(list, placed(searchFor(all, [], keys.length), `${way}=${cursor}`))).items
          const matching = (part: readonly string[]) => part.filter((key) => expected.includes(key))
          assert.deepEqual(found('after'), matching(whole.slice(place + 1)), raw)
          assert.deepEqual(found('before'), matching(whole.slice(0, place)), raw)
        },
      ),
      { numRuns: Number(process.env.QUERY_RUNS ?? 50) },
    )
  })
}

for (const [collection, values, keys] of [
  [collections.customers, customer, Array.from({ length: 30 }, (_, n) => n + 1)],
  [collections.deals, deal, uuids(30)],
] as const) {
  test(`a search in steps of a few rows gives exactly the ${collection.name} that match, in order`, async () => {
    const rowOf = fc.record(values as Readonly<Record<string, fc.Arbitrary<Plain>>>)
    const asked = { ...values, [collection.key]: fc.constantFrom<Plain>(...keys) }
    const filters = collection.name === 'deals' ? { ...asked, ...dealsCustomer, deleted: fc.boolean() } : asked
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf, { maxLength: keys.length }),
        collection.name === 'deals' ? dealsCustomers : fc.constant([]),
        questions(collection, filters),
        sortsWithNulls(collection),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (drawn, related, all, sort, size, count) => {
          const rows: PlainRow[] = drawn.map((row, at) => ({ ...row, [collection.key]: keys[at] ?? '' }))
          using filled = fill(indexed, collection, rows, related)
          const { db } = filled
          const raw = searchFor(all, [], size)
          const list = { collection, sort: sortTerms(collection, sort) }
          const expected = keysFound(collection, withCustomers(rows, related), all, sort).map(String)
          const { page: _, ...rest } = read(list, raw)
          const search = async (place: Pick<Query, 'page' | 'after' | 'before'>) => {
            const found = await searchPage(collection, { ...rest, ...place, count }, inSmallSteps(db))
            assert.equal(found.total, count ? expected.length : undefined)
            return found
          }
          const numbered: string[] = []
          for (let page = 1, more = true; more; page++) {
            const { items, hasMore } = await search({ page })
            numbered.push(...items)
            more = hasMore
          }
          assert.deepEqual(numbered, expected, raw)
          let found = await search({})
          const forwards = [...found.items]
          while (found.hasMore && found.last) {
            found = await search({ after: found.last })
            forwards.push(...found.items)
          }
          assert.deepEqual(forwards, expected, raw)
          const backwards = [...found.items]
          while (found.first && backwards.length < expected.length) {
            found = await search({ before: found.first })
            backwards.unshift(...found.items)
          }
          assert.deepEqual(backwards, expected, raw)
        },
      ),
      { numRuns: Number(process.env.QUERY_RUNS ?? 25) },
    )
  })
}

/** Steps that look at 128 rows are too long, and so are those that look at 32 and at 8. */
function inSmallSteps(db: ReturnType<typeof openSampleTables>): RunStep {
  let tooLong = 3
  return async (selects) => {
    const isStep = selects.some(({ text }) => text.includes('looked'))
    if (isStep && tooLong-- > 0) return undefined
    return { rows: selects.map((each) => rowsOf(db, each)), took: 5 }
  }
}

test('a search for a word that no row has takes one step', async () => {
  const { customers } = collections
  using filled = fill(indexed, customers, [], [])
  const query = read({ collection: customers, sort: sortTerms(customers, []) }, 'q=nowhere&count=exact')
  let steps = 0
  const page = await searchPage(customers, query, async (selects) => {
    steps++
    return { rows: selects.map((each) => rowsOf(filled.db, each)), took: 1 }
  })
  assert.deepEqual([page.items, page.hasMore, page.total, steps], [[], false, 0, 1])
})

test('a place of another value than the filter leaves is before or behind all that match', () => {
  const { customers } = collections
  const born = { createdAt: '2026-01-30T10:00:00.000Z', updatedAt: '2026-01-30T10:00:00.000Z', revision: 1 }
  const ages = [30, 20, null, 40, 30, 20, null]
  const rows = ages.map((age, at) => ({
    id: at + 1,
    name: 'A',
    email: null,
    age,
    children: null,
    country: null,
    ...born,
  }))
  using filled = fill(indexed, customers, rows, [])
  const run = (raw: string) => {
    const query = read(
      { collection: customers, sort: sortTerms(customers, [{ field: 'age', descending: false }]) },
      raw,
    )
    return { query, page: readPage(query, rowsOf(filled.db, select(customers, query, sqlite))) }
  }
  const cursorAt = (row: number): string => {
    const { query, page } = run(`maxpagesize=${row}`)
    return writeCursor(customers, query.sort, page.last ?? assert.fail())
  }
  // By age: 2 and 6 are 20, 1 and 5 are 30, 4 is 40, and 3 and 7 have none.
  for (const [filter, way, row, found] of [
    ['age=30', 'after', 2, ['1', '5']],
    ['age=30', 'after', 3, ['5']],
    ['age=30', 'after', 5, []],
    ['age=30', 'before', 1, []],
    ['age=30', 'before', 4, ['1']],
    ['age=30', 'before', 6, ['1', '5']],
    ['age.null=true', 'after', 5, ['3', '7']],
    ['age.null=true', 'before', 5, []],
  ] as const) {
    assert.deepEqual(run(`${filter}&${way}=${cursorAt(row)}`).page.items, found, `${filter} ${way} ${row}`)
  }
})

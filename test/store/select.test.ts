import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Collection } from '../../src/queries/collection.ts'
import { collections } from '../../src/queries/collections.ts'
import { writeCursor } from '../../src/queries/cursor.ts'
import { parseQuery } from '../../src/queries/parse-query.ts'
import type { Filter, Query } from '../../src/queries/query.ts'
import { writeQuery } from '../../src/queries/write-query.ts'
import { readBoundedPage, readPage } from '../../src/store/read-page.ts'
import { boundedSelect, countSelect, select } from '../../src/store/select.ts'
import { type Comparison, evaluate, type Plain, type PlainRow } from '../queries/naive-evaluator.ts'
import { type Asked, spelled } from '../queries/spelling.ts'
import { createIndexes, insertRows, openSampleTables, rowsOf } from './sample-tables.ts'

// Texts that tell the order of code points from that of UTF-16 units, and that SQL and addresses must quote.
const text = fc
  .array(fc.constantFrom('a', 'A', 'b', 'é', '\u{1F600}', '\uFF5E', "'", '"', '%', '&', '=', '+', ' x', '1', '\n'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => `.${parts.join('')}`.trim())
const cents = fc.constantFrom(0, 5, 10, 150, 155, 200, 10_000)
const day = fc.constantFrom('2026-01-30', '2026-02-01', '2026-12-31')
const moment = day.map((each) => `${each}T10:00:00.000Z`)
const small = fc.integer({ min: 0, max: 4 })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3, nil: null })

const customer = {
  name: text,
  email: maybe(fc.constantFrom('a@b.example', 'é@c.example')),
  age: maybe(small),
  children: maybe(small),
  country: maybe(fc.constantFrom('DE', 'FR')),
  createdAt: moment,
  updatedAt: moment,
  revision: fc.integer({ min: 1, max: 3 }),
}

const deal = {
  name: text,
  price: cents,
  currency: fc.constantFrom('EUR', 'USD'),
  customerId: maybe(fc.integer({ min: 1, max: 3 })),
  owner: maybe(text),
  description: fc.oneof(fc.constant(''), text),
  stage: fc.constantFrom('lead', 'proposal'),
  completionDate: maybe(day),
  status: fc.constantFrom('open', 'completed'),
  held: fc.boolean(),
  holdReason: maybe(text),
  archived: fc.boolean(),
  amercement: cents,
  paid: cents,
  completedOn: maybe(day),
  acceptedBy: maybe(text),
  closingReason: maybe(text),
  deletedAt: maybe(moment),
  createdAt: moment,
  updatedAt: moment,
  revision: fc.integer({ min: 1, max: 3 }),
}

const uuids = (count: number) =>
  Array.from({ length: count }, (_, n) => `01936f2e-5d3c-7a41-8f6b-${String((n * 7919) % 1000).padStart(12, '0')}`)

const patterns = ['a', '^\\.a', 'é$', '.', '[0-5]5$', '(?i)A', "'", 'true', '^1\\.5$', '^1\\.55$', '20', '\u{1F600}']

const textOf = (collection: Collection) => (field: string, value: Plain) =>
  collection.fields.get(field)?.kind.name === 'amount' ? String(Number(value) / 100) : String(value)

/** Any comparisons on any fields, as they are meant, with an address that spells them. */
function questions(collection: Collection, values: Readonly<Record<string, fc.Arbitrary<Plain>>>) {
  const written = textOf(collection)
  const question = fc.constantFrom(...Object.keys(values)).chain((field) => {
    const value = (values[field] ?? fc.constant('')).filter((each) => each !== null && each !== '')
    const several = (one: fc.Arbitrary<Plain>) => fc.array(one, { minLength: 1, maxLength: 2 })
    const operator = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'regex', 'null')
    const numeric = ['integer', 'amount'].includes(collection.fields.get(field)?.kind.name ?? '')
    return operator.chain((each) =>
      several(each === 'regex' ? fc.constantFrom(...patterns) : each === 'null' ? fc.boolean() : value)
        .filter((all) => each !== 'in' || !all.some((one) => String(one).includes(',')))
        .chain((all) => {
          const one: Comparison = { field, operator: each as Comparison['operator'], values: all }
          const texts = all.map((plain) =>
            each === 'regex' || each === 'null' ? String(plain) : written(field, plain),
          )
          const asked: Asked = { ...one, texts: each === 'in' ? [texts.join(',')] : texts }
          return spelled(asked, collection.key, numeric).map((address) => ({ one, address }))
        }),
    )
  })
  return fc.array(question, { maxLength: 3 })
}

function sorts(collection: Collection) {
  const shown = [...collection.fields.values()].filter((field) => !field.hidden).map((field) => field.name)
  const indexed = shown.filter((name) => collection.fields.get(name)?.indexed)
  const fields = fc.uniqueArray(fc.oneof(fc.constantFrom(...indexed), fc.constantFrom(...shown)), { maxLength: 3 })
  return fields.chain((names) =>
    fc.tuple(...names.map((field) => fc.boolean().map((descending) => ({ field, descending })))),
  )
}

function pagesBy(collection: Collection, raw: string, run: (query: Query) => ReturnType<typeof readPage>): string[][] {
  const read = (at: string) => {
    const parsed = parseQuery(collection, at)
    assert.ok('query' in parsed, `${at}: ${JSON.stringify(parsed)}`)
    return parsed.query
  }
  const numbered: string[] = []
  for (let page = 1; ; page++) {
    const { items, hasMore } = run(read(writeQuery(raw, { page })))
    numbered.push(...items)
    if (!hasMore) break
  }
  const continued: string[] = []
  for (let at = raw; ; ) {
    const query = read(at)
    const { items, hasMore, last } = run(query)
    continued.push(...items)
    if (!hasMore || last === undefined) break
    at = writeQuery(at, { after: writeCursor(collection, query.sort, last) })
  }
  return [numbered, continued]
}

for (const [collection, values, keys] of [
  [collections.customers, customer, Array.from({ length: 30 }, (_, n) => n + 1)],
  [collections.deals, deal, uuids(30)],
] as const) {
  test(`every filter, sort and way to page gives exactly the ${collection.name} that match, in order`, () => {
    const rowOf = fc.record(values as Readonly<Record<string, fc.Arbitrary<Plain>>>)
    const asked = { ...values, [collection.key]: fc.constantFrom<Plain>(...keys) }
    const filters = collection.name === 'deals' ? { ...asked, deleted: fc.boolean() } : asked
    fc.assert(
      fc.property(
        fc.array(rowOf, { maxLength: keys.length }),
        questions(collection, filters),
        sorts(collection),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (drawn, all, sort, size, indexes) => {
          const rows: PlainRow[] = drawn.map((row, at) => ({ ...row, [collection.key]: keys[at] ?? '' }))
          const db = openSampleTables()
          if (indexes) createIndexes(db)
          insertRows(db, collection, rows)
          const order = sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(',')
          const raw = [
            ...all.map(({ address }) => address),
            ...(order === '' ? [] : [`sort=${order}`]),
            `maxpagesize=${size}`,
          ].join('&')
          const expected = evaluate(
            rows.map((row) => ({ ...row, deleted: row.deletedAt !== null })),
            withLiveDeals(
              collection,
              all.map(({ one }) => one),
            ),
            [...sort, { field: collection.key, descending: false }],
            textOf(collection),
          ).map((row) => String(row[collection.key]))
          const none: Filter = []
          for (const way of ['sorted', 'free'] as const) {
            const pages = pagesBy(collection, raw, (query) =>
              readPage(collection, query, rowsOf(db, select(collection, none, query, 'sqlite', way))),
            )
            for (const ids of pages) assert.deepEqual(ids, expected, raw)
          }
          const [, bounded] = pagesBy(collection, raw, (query) => {
            const chosen = boundedSelect(collection, none, query, 'sqlite')
            if (chosen === undefined)
              return readPage(collection, query, rowsOf(db, select(collection, none, query, 'sqlite')))
            const page = readBoundedPage(collection, query, rowsOf(db, chosen))
            assert.ok(page)
            return page
          })
          assert.deepEqual(bounded, expected, raw)
          const parsed = parseQuery(collection, raw)
          assert.ok('query' in parsed)
          assert.equal(rowsOf(db, countSelect(collection, none, parsed.query, 'sqlite'))[0]?.[0], expected.length)
          db.close()
        },
      ),
      { numRuns: 300 },
    )
  })
}

const withLiveDeals = (collection: Collection, all: readonly Comparison[]): readonly Comparison[] =>
  collection.name !== 'deals' || all.some(({ field }) => field === 'deleted')
    ? all
    : [...all, { field: 'deleted', operator: 'eq', values: [false] }]

import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { parseQuery } from '../../../src/queries/parse/parse-query.ts'
import { numberQueries } from '../../../src/screens/home/numbers.ts'
import { pipeline } from '../../../src/screens/reports/declared/pipeline.ts'
import { wonAndLost } from '../../../src/screens/reports/declared/won-and-lost.ts'
import { asksForGroups, type GroupQuery, groupSelects, isKept } from '../../../src/store/select/groups/group-text.ts'
import { wrongTotals } from '../../../src/store/sqlite/schema/kept-totals.ts'
import { sqlite } from '../../../src/store/sqlite/sql/dialect.ts'
import { openSampleTables, rowsOf } from '../../support/database/sample-tables.ts'
import { collections, schema } from '../../support/schema.ts'

const { deals } = collections
const { keptSum: _, ...withoutTotals } = sqlite

const instants = [
  '2026-05-31T23:59:59.999Z',
  '2026-06-01T00:00:00.000Z',
  '2026-06-01T00:00:00.001Z',
  '2026-06-15T00:00:00.000Z',
  '2026-06-30T23:59:59.999Z',
  '2026-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
  '2026-11-18T12:00:00.000Z',
]

let db: DatabaseSync
before(() => {
  db = openSampleTables()
  const closings = instants.flatMap((at) => ['completed', 'cancelled'].map((status) => ({ status, at })))
  const all = [...closings, ...closings, { status: 'open', at: null }, { status: 'cancelled', at: null }]
  const insert =
    db.prepare(`INSERT INTO deals (id, name, price_thousandths, currency, description, pipeline, stage, status,
      completed_on, held, archived, amercement_thousandths, paid_thousandths, created_at, updated_at, revision, doc)
    VALUES (?, 'Hall', ?, ?, '', 'sales', 'lead', ?, ?, 0, 0, 0, 0, ?, ?, 1, '')`)
  // Closed afterwards, as by an operation.
  const close = db.prepare('UPDATE deals SET closed_at = ? WHERE id = ?')
  for (const [nth, { status, at }] of all.entries()) {
    const id = `01936f2e-5d3c-7a41-8f6b-${String(nth).padStart(12, '0')}`
    const currency = nth % 3 === 0 ? 'EUR' : 'CHF'
    insert.run(id, nth + 1, currency, status, nth % 2 === 0 ? null : '2026-06-30', instants[0] ?? '', instants[0] ?? '')
    close.run(at, id)
  }
})
after(() => db.close())

test('kept totals answer each number of the home page', () => {
  for (const [name, search] of Object.entries(numberQueries('2026-11-15')))
    assert.ok(isKept(deals, asked(search), sqlite), name)
})

test('kept totals answer the figures of open and won deals', () => {
  const about = {
    days: { from: '2026-11-01', until: '2026-11-18' },
    person: undefined,
    pipeline: undefined,
    timeZone: 'UTC',
  }
  const figures = [pipeline.figure.questions?.(about), wonAndLost.questions(about)]
  const queries = figures.flatMap((each) =>
    Object.entries(each ?? {}).filter(([name]) => ['open', 'won'].includes(name)),
  )
  assert.deepEqual(
    queries.map(([name, question]) => [name, isKept(deals, asked(question?.query ?? ''), sqlite)]),
    [
      ['open', true],
      ['won', true],
    ],
  )
})

test('groups from kept totals are those of the rows, whatever the range of an instant', () => {
  assert.deepEqual(wrongTotals(db, schema), [])
  const ranges = ['gte', 'gt', 'lt', 'lte', 'eq', 'ne'].flatMap((operator) =>
    instants.map((at) => `closedAt.${operator}=${at}`),
  )
  const keys = [
    'closedAt.year',
    'closedAt.month',
    'closedAt.week',
    'closedAt.day',
    'closedAt',
    'status,currency',
    'pipeline',
  ]
  const answered = new Set<string>()
  for (const range of [...ranges, 'closedAt.gte=2026-06-01T02:00:00%2B02:00', 'closedAt.null=false', 'held=false']) {
    for (const key of keys) {
      const search = `${range}&group=${key},currency&measure=count,sum.price`.replace('currency,currency', 'currency')
      const query = asked(search)
      assert.deepEqual(groups(query, sqlite), groups(query, withoutTotals), search)
      if (isKept(deals, query, sqlite)) answered.add(`${range} ${key}`)
    }
  }
  const starts = ['2026-06-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']
  const between = ['gte', 'lt'].flatMap((operator) => starts.map((at) => `${operator}=${at}`))
  const byMonth = keys.filter((key) => !['closedAt.week', 'closedAt.day', 'closedAt'].includes(key))
  assert.deepEqual(
    [...answered].filter((each) => each.startsWith('closedAt')),
    [...between, 'gte=2026-06-01T02:00:00%2B02:00'].flatMap((range) =>
      byMonth.map((key) => `closedAt.${range} ${key}`),
    ),
  )
})

const groups = (query: GroupQuery, dialect: typeof sqlite): unknown =>
  rowsOf(db, groupSelects(deals, query, dialect)[0])

function asked(search: string): GroupQuery {
  const parsed = parseQuery(deals, search)
  assert.ok('query' in parsed && asksForGroups(parsed.query), inspect(parsed))
  return parsed.query
}

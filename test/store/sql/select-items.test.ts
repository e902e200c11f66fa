import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { Collection } from '../../../src/queries/collection.ts'
import { namedQueries } from '../../../src/queries/named-queries.ts'
import { parseQuery } from '../../../src/queries/parse/parse-query.ts'
import { type Filter, withScope } from '../../../src/queries/query.ts'
import { commandColumns } from '../../../src/store/rows/command.ts'
import { eventColumns } from '../../../src/store/rows/event.ts'
import { BEFORE_THING } from '../../../src/store/rows/whole-state.ts'
import { readPage } from '../../../src/store/select/read-page.ts'
import { select } from '../../../src/store/select/select.ts'
import { linkEvents } from '../../../src/store/sqlite/schema/event-links.ts'
import { sqlite } from '../../../src/store/sqlite/sql/dialect.ts'
import { openSampleTables, planOf, rowsOf } from '../../support/database/sample-tables.ts'
import { collections, schema } from '../../support/schema.ts'

const one = '01936f2e-5d3c-7a41-8f6b-000000000001'
const two = '01936f2e-5d3c-7a41-8f6b-000000000002'
const at = '2026-11-30T12:00:00.000Z'

const db = openSampleTables()
const event = db.prepare(
  `INSERT INTO events (sequence, ${eventColumns}) VALUES (${['sequence', ...eventColumns].map(() => '?')})`,
)
for (const [sequence, deal, revision, word, type, action] of [
  [1, one, 1, 'create', 'deal.created', 'CreateDeal'],
  [2, two, 1, 'create', 'deal.created', 'CreateDeal'],
  [3, one, 2, 'hold', 'deal.held', 'HoldDeal'],
  [4, one, 3, 'unhold', 'deal.unheld', 'UnholdDeal'],
] as const) {
  event.run(
    sequence,
    'deal',
    deal,
    revision,
    type,
    word,
    action,
    null,
    null,
    'verb',
    null,
    at,
    '{}',
    `{"id":"${deal}","stage":"lead","status":"open"}`,
  )
}
linkEvents(db, schema)
db.prepare(`INSERT INTO commands (${commandColumns}) VALUES (${commandColumns.map(() => '?')})`).run(
  'c-1',
  'deal',
  one,
  'HoldDeal',
  '{}',
  'applied',
  null,
  2,
  at,
)

function page(collection: Collection, raw: string, scope: Filter = []) {
  const parsed = parseQuery(collection, raw)
  assert.ok('query' in parsed, inspect(parsed))
  return readPage(parsed.query, rowsOf(db, select(collection, withScope(scope, parsed.query), sqlite)))
}

test('the history of a deal is its entries alone, in their order, from its own index', () => {
  const history = namedQueries(schema).find(({ name }) => name === 'deal-history')
  assert.ok(history)
  const scope = history.scope(one)
  const { items, last } = page(collections.history, '', scope)
  assert.deepEqual(JSON.parse(items[1] ?? ''), {
    operation: 'hold',
    params: {},
    revision: 2,
    actor: null,
    form: 'verb',
    action: 'HoldDeal',
    type: 'deal.held',
    at,
  })
  assert.equal(items.length, 3)
  assert.deepEqual(last, [3])
  assert.equal(page(collections.history, 'operation=hold&actor.null=true', scope).items.length, 1)
  const parsed = parseQuery(collections.history, 'sort=-revision')
  assert.ok('query' in parsed)
  const plan = planOf(db, select(collections.history, withScope(scope, parsed.query), sqlite))
  assert.ok(plan.includes('SEARCH milestones USING INDEX events_milestones (subject=?)'), plan.join('\n'))
  assert.deepEqual(
    plan.filter((step) => /^SCAN (?!told|\(subquery)/.test(step)),
    [],
  )
})

test('an event of the feed is a CloudEvent, and the feed continues behind its sequence', () => {
  const { items } = page(collections.events, 'after=0000000000000002&maxpagesize=1')
  assert.deepEqual(JSON.parse((items[0] ?? '').replace(BEFORE_THING, '')), {
    specversion: '1.0',
    id: '0000000000000003',
    source: '/events',
    type: 'deal.held',
    subject: one,
    time: at,
    sequence: '0000000000000003',
    datacontenttype: 'application/json',
    data: {
      operation: 'hold',
      params: {},
      revision: 2,
      actor: null,
      form: 'verb',
      deal: { id: one, stage: 'lead', status: 'open' },
    },
  })
  assert.equal(page(collections.events, `deal=${one}&type=deal.created&type=deal.held`).items.length, 2)
  assert.equal(page(collections.events, 'sequence.regex=3$&time<2027-01-01T00:00:00Z').items.length, 1)
  assert.deepEqual(page(collections.events, 'sort=-sequence&maxpagesize=1').last, ['0000000000000004'])
})

test('a command is shown with what it was decided on', () => {
  const { items } = page(collections.commands, `deal=${one}&status=applied`)
  assert.deepEqual(JSON.parse(items[0] ?? ''), {
    id: 'c-1',
    resource: 'deal',
    subject: one,
    action: 'HoldDeal',
    params: {},
    status: 'applied',
    revision: 2,
    decidedAt: at,
    refusal: null,
  })
})

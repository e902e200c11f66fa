import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import pg from 'pg'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import type { AddedField } from '../../src/model/source/added-field.ts'
import { type CollectionName, fieldOf } from '../../src/queries/collection.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import type { Query } from '../../src/queries/query.ts'
import { withKey } from '../../src/queries/sort.ts'
import type { Page } from '../../src/store/port/desk.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { postgres } from '../../src/store/postgres/sql/dialect.ts'
import { asksForGroups, groupSelects } from '../../src/store/select/groups/group-text.ts'
import { readBoundedPage, readPage } from '../../src/store/select/read-page.ts'
import { boundedSelect, probeSelect, select } from '../../src/store/select/select.ts'
import type { Strategy } from '../../src/store/select/texts/select-text.ts'
import type { SqlDialect } from '../../src/store/sql/dialect.ts'
import { endedOwners } from '../../src/store/sqlite/connect/owners.ts'
import { sqlite } from '../../src/store/sqlite/sql/dialect.ts'
import { tableStatements } from '../../src/store/sqlite/write/table-statements.ts'
import { accountWorks } from '../../src/store/transactions/accounts/account-store.ts'
import { importEffects } from '../../src/store/transactions/imports/effects.ts'
import { purgeDeleted } from '../../src/store/transactions/purge.ts'
import { lastNotedReader } from '../../src/store/transactions/reads.ts'
import { trimHistory } from '../../src/store/transactions/trim.ts'
import { webhookWorks } from '../../src/store/transactions/webhooks/webhook-store.ts'
import { ownPostgres } from '../support/database/own-database.ts'
import { openSampleTables, planOf as planIn, rowsOf } from '../support/database/sample-tables.ts'
import { customer, schema } from '../support/schema.ts'

/** The query that each index is for: a page, or something that is done. */
type Purpose = readonly [collection: CollectionName, query: string] | keyof typeof works

const uuid = '01936f2e-5d3c-7a41-8f6b-000000000001'

const purposes: Readonly<Record<string, Purpose>> = {
  customers_name: ['customers', 'sort=name'],
  customers_age: ['customers', 'sort=-age'],
  customers_children: ['customers', 'sort=children'],
  customers_created_at: ['customers', 'sort=-createdAt'],
  deals_completion_date: ['deals', 'sort=completionDate'],
  deals_created_at: ['deals', 'sort=-createdAt'],
  deals_updated_at: ['deals', 'sort=-updatedAt'],
  deals_stage: 'the board',
  deals_due: ['deals', 'status=open&completionDate.lt=2026-11-15&sort=completionDate'],
  deals_customer: ['deals', 'customerId=7'],
  deals_owner: ['deals', 'owner=ana'],
  deals_held: ['deals', 'held=true'],
  deals_deleted: ['deals', 'deleted=true'],
  tasks_due_on: ['tasks', 'sort=dueOn'],
  tasks_created_at: ['tasks', 'sort=-createdAt'],
  tasks_deal: ['tasks', `dealId=${uuid}`],
  tasks_customer: ['tasks', 'customerId=7'],
  tasks_assignee: ['tasks', 'assignee=ana'],
  rates_since: ['rates', 'sort=-since'],
  rates_currency: ['rates', 'currency=USD'],
  targets_from: ['targets', 'sort=-from'],
  targets_user: ['targets', 'user=ana'],
  views_name: ['views', 'sort=name'],
  views_owner: ['views', 'owner=ana'],
  commands_deal: ['commands', `deal=${uuid}`],
  commands_decided_at: ['commands', 'sort=-decidedAt'],
  periods_deal: ['periods', `dealId=${uuid}`],
  periods_since: ['periods', 'status=open&since.gte=2026-11-01T00:00:00Z&since.lt=2026-12-01T00:00:00Z&group=stage'],
  periods_until: ['periods', 'status=open&until.gte=2026-11-01T00:00:00Z&until.lt=2026-12-01T00:00:00Z&group=stage'],
  sessions_user: ['sessions', 'user=ana'],
  audit_user: ['audit', 'user=ana'],
  identities_user: 'accounts',
  deliveries_due: 'webhooks',
  deliveries_waiting: 'webhooks',
  deliveries_finished: 'webhooks',
  deliveries_claimed: 'webhooks',
  events_notes: 'the last notes',
  events_import: 'an undo',
  events_customer_deleted: 'a purge',
  events_task_deleted: 'a purge',
  events_rate_deleted: 'a purge',
  events_target_deleted: 'a purge',
  events_view_deleted: 'a purge',
  events_pipeline_deleted: 'a purge',
}

/** On SQLite alone: the key of a table whose key is a number is the table itself, and its rows are read whole. */
const ofKeys: Readonly<Record<string, Purpose>> = {
  // They are unique, and PostgreSQL lists no such ones.
  keys_user: ['keys', 'user=ana'],
  deals_reference: ['deals', 'reference=A-0004'],
  customers_reference: ['customers', 'reference=A-0004'],
  pipelines_name: ['pipelines', 'name=sales'],
  tasks_reference: ['tasks', 'reference=A-0004'],
  customers_id: ['customers', 'page=3'],
  events_milestones: 'a purge',
  events_at: ['events', 'time.gte=2026-11-01T00:00:00Z&time.lt=2026-12-01T00:00:00Z&group=actor,type'],
}

/** On PostgreSQL alone: nulls are no end of an index there, but have one of their own. */
const ofNulls: Readonly<Record<string, Purpose>> = {
  customers_age_none: ['customers', 'sort=age&age.null=true'],
  customers_children_none: ['customers', 'sort=children&children.null=true'],
  deals_completion_date_none: ['deals', 'sort=completionDate&completionDate.null=true'],
  tasks_due_on_none: ['tasks', 'sort=dueOn&dueOn.null=true'],
}

/** Besides, since it would read all that stays. */
const alsoUsed: readonly (readonly [index: string, purpose: Purpose])[] = [
  ['commands_decided_at', 'a trim of commands'],
]

/** What prepares the statements of each of them, in a dialect that writes them down. */
const works = {
  'the board': (dialect: SqlDialect) => {
    const deals = collectionNamed(schema, 'deals')
    const parsed = parseQuery(deals, 'status=open&pipeline=sales&stage=lead')
    assert.ok('query' in parsed, inspect(parsed))
    const sort = withKey(deals, [{ field: fieldOf(deals, 'stageSince'), descending: true }])
    dialect.marked(select(deals, { ...parsed.query, sort }, dialect).text)
  },
  accounts: (dialect: SqlDialect) => accountWorks(dialect),
  webhooks: (dialect: SqlDialect) => webhookWorks(dialect, endedOwners, schema),
  'a purge': (dialect: SqlDialect) =>
    Array.fromAsync(purgeDeleted(dialect, schema, tableStatements, async () => [], '', false)),
  'the last notes': (dialect: SqlDialect) => lastNotedReader(dialect, async () => [])(customer, [7]),
  'an undo': async (dialect: SqlDialect) => importEffects(dialect),
  'a trim of commands': (dialect: SqlDialect) => {
    const nothing = async <T>() => 0 as T
    return Array.fromAsync(
      trimHistory(dialect, schema, { lock: () => [] }, nothing, { commands: '', events: undefined }),
    )
  },
}

async function textsFor(purpose: Purpose, dialect: SqlDialect): Promise<readonly string[]> {
  if (typeof purpose === 'string') {
    const texts: string[] = []
    const marked = (text: string): string => {
      const own = dialect.marked(text)
      texts.push(own)
      return own
    }
    await works[purpose]({ ...dialect, marked })
    return texts
  }
  const [name, raw] = purpose
  const parsed = parseQuery(collectionNamed(schema, name), raw)
  assert.ok('query' in parsed, inspect(parsed))
  if (asksForGroups(parsed.query)) return [groupSelects(collectionNamed(schema, name), parsed.query, dialect)[0].text]
  return [select(collectionNamed(schema, name), parsed.query, dialect).text]
}

async function checkEach(
  indexes: readonly string[],
  known: Readonly<Record<string, Purpose>>,
  dialect: SqlDialect,
  planOf: (text: string) => Promise<string>,
): Promise<void> {
  assert.deepEqual(
    indexes.toSorted(),
    Object.keys(known).toSorted(),
    'each index has a query, and each query its index',
  )
  for (const [index, purpose] of [...Object.entries(known), ...alsoUsed]) {
    const plans: string[] = []
    for (const text of await textsFor(purpose, dialect)) plans.push(await planOf(text))
    assert.ok(
      plans.some((plan) => new RegExp(`\\b${index}\\b`).test(plan)),
      `no query uses ${index}:\n${plans.join('\n')}`,
    )
  }
}

describe('every index is used by the query that is named for it', () => {
  test('on SQLite', async () => {
    const db = openSampleTables()
    const made = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`).all()
    const planOf = async (text: string): Promise<string> => {
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all()
      return steps.map(({ detail }) => detail).join('\n')
    }
    await checkEach(
      made.map(({ name }) => String(name)),
      { ...purposes, ...ofKeys },
      sqlite,
      planOf,
    )
    db.close()
  })

  describe('on PostgreSQL', () => {
    let client: pg.Client
    before(async () => {
      const database = await ownPostgres()
      await (await openPostgres({ url: database.url, currency: 'EUR' })).close()
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
    })
    after(() => client.end())

    test('whose tables are empty', async () => {
      // An empty table may as well be read whole.
      await client.query('SET enable_seqscan = off; SET enable_sort = off')
      const { rows } = await client.query<{ indexname: string }>(
        `SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND indexdef NOT LIKE 'CREATE UNIQUE%'
           AND indexdef NOT LIKE '%USING gin%'`,
      )
      const planOf = async (text: string): Promise<string> => {
        const steps = await client.query(`EXPLAIN (GENERIC_PLAN) ${text}`)
        return steps.rows.map((row) => row['QUERY PLAN']).join('\n')
      }
      await checkEach(
        rows.map(({ indexname }) => indexname),
        { ...purposes, ...ofNulls },
        postgres,
        planOf,
      )
    })
  })
})

test('the index of an added field answers filters and sorts, and is read in its order', () => {
  const db = openSampleTables()
  const kinds = { code: 'integer', branch: 'choice', later: 'date' } as const
  const options = { values: ['b', 'a'].map((value) => ({ value, title: value })) }
  const fields = Object.entries(kinds).map(
    ([name, kind]): AddedField => ({
      ...{ on: 'deal', name, title: name, kind, indexed: true, state: name === 'later' ? 'building' : 'ready' },
      ...(kind === 'choice' && { options }),
    }),
  )
  const deals = collectionNamed(buildSchema({ ...NOTHING_ADDED, version: 1, fields }), 'deals')
  const asked = (raw: string): Query => {
    const parsed = parseQuery(deals, raw)
    assert.ok('query' in parsed, inspect(parsed))
    return parsed.query
  }
  const planOf = (raw: string, strategy?: Strategy): string =>
    planIn(db, select(deals, asked(raw), sqlite, strategy)).join('\n')
  const range = { driving: fieldOf(deals, 'own.code') }
  for (const [raw, strategy, found] of [
    ['own.code=5', 'sorted', 'field=? AND value=?'],
    ['own.branch=a&sort=-id', 'sorted', 'field=? AND value=?'],
    ['sort=-own.code', 'sorted', 'field=?'],
    ['own.code.gte=5&own.code.lt=9&sort=own.code', 'sorted', 'field=? AND value>? AND value<?'],
    ['own.code.in=5,6&sort=name', range, 'field=? AND value=?'],
    ['own.code.gt=5&own.code.lt=9&sort=name', range, 'field=? AND value>? AND value<?'],
    ['own.code.gt=5&own.code.lt=9&sort=-id', range, 'field=? AND value>? AND value<?'],
  ] as const) {
    const plan = planOf(raw, strategy)
    assert.ok(plan.includes(`SEARCH deals_own USING PRIMARY KEY (${found})`), `${raw}: ${plan}`)
    assert.equal(plan.includes('TEMP B-TREE'), raw.endsWith('sort=name'), `${raw}: ${plan}`)
  }
  // How many rows it has, and which are next, is read from the index alone.
  for (const raw of ['own.code=5', 'own.code.gte=5&own.code.lt=9&sort=own.code']) {
    const remainder = boundedSelect(deals, asked(raw), sqlite)?.remainder()
    const probe = probeSelect(deals, asked(raw), sqlite, fieldOf(deals, 'own.code'), 500)
    for (const each of [remainder, probe]) {
      assert.ok(each)
      const plan = planIn(db, each).join('\n')
      assert.ok(plan.includes('SEARCH deals_own USING PRIMARY KEY'), `${raw}: ${plan}`)
      assert.doesNotMatch(plan, /deals USING|SCAN deals/, raw)
    }
  }
  const sorted = boundedSelect(deals, asked('sort=own.code'), sqlite)
  assert.ok(sorted)
  assert.doesNotMatch(planIn(db, sorted.page).join('\n'), /TEMP B-TREE|SCAN deals/)
  for (const raw of ['own.later=2027-01-31', 'sort=own.branch', 'sort=own.later', 'own.code.null=true'])
    assert.ok(!planOf(raw).includes('deals_own'), raw)
})

test('pages along the index of an added field continue with the things that have no value, in both directions', () => {
  const db = openSampleTables()
  const field = { on: 'customer', name: 'code', title: 'code', kind: 'integer', indexed: true } as const
  const customers = collectionNamed(buildSchema({ ...NOTHING_ADDED, version: 1, fields: [field] }), 'customers')
  db.exec("INSERT INTO own_indexes (on_table, field) VALUES ('customers', 'code')")
  const codes = [4, null, 2, 2, null, 9, 0, null, 4, 2, null]
  const insert = db.prepare(
    `INSERT INTO customers (id, name, created_at, updated_at, revision, own, doc) VALUES (?, 'Ana', '', '', 1, ?, '{}')`,
  )
  for (const [id, code] of codes.entries()) insert.run(id, code === null ? null : `{"code":${code}}`)
  const places = [...codes.keys()]
  const valueAt = (place: number): number => codes[place] ?? Number.NaN
  const withValue = places.filter((place) => codes[place] !== null)
  const without = places.filter((place) => codes[place] === null)
  const up = withValue.toSorted((one, other) => valueAt(one) - valueAt(other) || one - other)
  const down = withValue.toSorted((one, other) => valueAt(other) - valueAt(one) || other - one)
  for (const [sort, order] of [
    ['own.code', [...up, ...without]],
    ['-own.code', [...down, ...without.toReversed()]],
  ] as const) {
    const parsed = parseQuery(customers, `sort=${sort}&maxpagesize=2`)
    assert.ok('query' in parsed, inspect(parsed))
    const pageOf = (query: Query): Page => {
      const bounded = boundedSelect(customers, query, sqlite)
      const near =
        bounded &&
        readBoundedPage(
          query,
          bounded,
          (each) => readPage(query, rowsOf(db, each)),
          (each) => rowsOf(db, each),
        )
      return near ?? readPage(query, rowsOf(db, select(customers, query, sqlite)))
    }
    const idsOf = ({ first, last }: Page) => [...new Set([first?.at(-1), last?.at(-1)])]
    const forwards: unknown[] = []
    let page = pageOf(parsed.query)
    for (forwards.push(...idsOf(page)); page.hasMore && page.last; forwards.push(...idsOf(page)))
      page = pageOf({ ...parsed.query, after: page.last })
    assert.deepEqual(forwards, order, sort)
    const backwards: unknown[] = idsOf(page)
    while (page.first) {
      page = pageOf({ ...parsed.query, before: page.first })
      backwards.unshift(...idsOf(page).filter((id) => id !== undefined))
    }
    assert.deepEqual(backwards, order, `${sort} backwards`)
  }
  db.close()
})

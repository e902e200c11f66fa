import type { Collection, CollectionName, Field } from '../../queries/collection.ts'
import { SEQUENCE_DIGITS } from '../../values/sequence.ts'
import { columnName } from './column-name.ts'
import type { Dialect } from './sql.ts'

/** Where a field is kept. */
export interface Column {
  /** What is compared and sorted. */
  readonly sql: string
  /** The type of what it is compared with. */
  readonly type: 'bigint' | 'text' | 'boolean'
  /** What a regex looks at: the value as clients see it. */
  readonly text: string
  /** What a row tells of it, where that is not what is compared. */
  readonly told?: string
  /** A value that it is compared with, where that is not simply one of its type. */
  readonly bound?: string
  /** What stands for it in an order, where that is not the column itself: the place of a choice among its values. */
  readonly order?: Column
  /** The places of values that it is compared with. */
  readonly ranks?: ReadonlyMap<unknown, number>
  /** For booleans, the conditions as the indexes on them are declared. */
  readonly is?: { readonly true: string; readonly false: string }
}

/** Where a collection is kept. */
export interface Table {
  readonly name: string
  /** The item's JSON text. */
  readonly item: string
  /** Fields, beside those sorted from an index, whose equality together with the key is answered from one. */
  readonly scopes: readonly string[]
  /** Booleans whose truth is answered so. */
  readonly flags: readonly string[]
}

export function tableOf({ name }: Collection, dialect: Dialect): Table {
  return tables[dialect][name]
}

export function columnOf(collection: Collection, field: Field, dialect: Dialect): Column {
  const known = found[dialect].get(field)
  if (known !== undefined) return known
  const column = columns[dialect].get(collection.name)?.get(field.name) ?? usualColumn(field, dialect)
  found[dialect].set(field, column)
  return column
}

// Every page asks; a field is of one collection.
const found: Readonly<Record<Dialect, WeakMap<Field, Column>>> = { sqlite: new WeakMap(), postgres: new WeakMap() }

function usualColumn({ name, kind }: Field, dialect: Dialect): Column {
  const sql = columnName(name, kind)
  switch (kind.name) {
    case 'integer':
      return { sql, type: 'bigint', text: `CAST(${sql} AS TEXT)` }
    case 'amount':
      return { sql, type: 'bigint', text: amountText(sql, dialect) }
    case 'boolean':
      return { sql, type: 'boolean', text: booleanText(sql), is: truths(sql, dialect) }
    default:
      return { sql, type: 'text', text: sql, ...(kind.ranks && { order: rankedBy(sql, kind.ranks) }) }
  }
}

/** Values are few and none of them needs quoting. */
function rankedBy(sql: string, ranks: ReadonlyMap<unknown, number>): Column {
  const places = [...ranks].map(([value, rank]) => `WHEN '${value}' THEN ${rank}`).join(' ')
  return { sql: `CASE ${sql} ${places} END`, type: 'bigint', text: sql, ranks }
}

/** The decimal that clients see, without trailing zeros: `amount_text` is ours in SQLite. */
const amountText = (sql: string, dialect: Dialect): string =>
  dialect === 'sqlite' ? `amount_text(${sql})` : `trim_scale(${sql}::numeric / 1000)::text`

const truths = (sql: string, dialect: Dialect): { readonly true: string; readonly false: string } =>
  dialect === 'sqlite'
    ? { true: `${sql} = 1`, false: `${sql} = 0` }
    : { true: `${sql} = true`, false: `${sql} = false` }

const booleanText = (sql: string): string => `CASE WHEN ${sql} THEN 'true' WHEN NOT ${sql} THEN 'false' END`

/** SQLite counts events; PostgreSQL keeps the digits, and takes those of events that came from SQLite too. */
const sequenceIn = (dialect: Dialect): Column => {
  const digits = SEQUENCE_DIGITS[dialect]
  if (dialect === 'postgres') {
    return { sql: 'sequence', type: 'text', text: 'sequence', bound: `lpad(?::text, ${digits}, '0')` }
  }
  const text = `printf('%0${digits}d', sequence)`
  return { sql: 'sequence', type: 'text', text, told: text, bound: 'CAST(? AS INTEGER)' }
}

const dealId: Column = { sql: 'deal_id', type: 'text', text: 'deal_id' }
const deleted: Column = {
  sql: '(deleted_at IS NOT NULL)',
  type: 'boolean',
  text: booleanText('(deleted_at IS NOT NULL)'),
  is: { true: 'deleted_at IS NOT NULL', false: 'deleted_at IS NULL' },
}

/** Totals that an earlier release kept beyond the safe integers sort together, at their end. */
const totalIn = (column: string, dialect: Dialect): Column => ({
  sql: `${dialect === 'sqlite' ? 'min' : 'least'}(${column}, ${Number.MAX_SAFE_INTEGER})`,
  type: 'bigint',
  text: amountText(column, dialect),
})

type Columns = ReadonlyMap<CollectionName, ReadonlyMap<string, Column>>

/** The fields that are not kept under their own name. */
const columnsIn = (dialect: Dialect): Columns =>
  new Map([
    [
      'deals',
      new Map([
        ['deleted', deleted],
        ['amercement', totalIn('amercement_thousandths', dialect)],
        ['paid', totalIn('paid_thousandths', dialect)],
      ]),
    ],
    ['history', new Map([['deal', dealId]])],
    ['commands', new Map([['deal', dealId]])],
    [
      'deliveries',
      new Map([
        ['deal', dealId],
        ['webhook', { sql: 'webhook_id', type: 'text', text: 'webhook_id' }],
      ]),
    ],
    [
      'events',
      new Map<string, Column>([
        ['deal', dealId],
        ['time', { sql: 'at', type: 'text', text: 'at' }],
        ['sequence', sequenceIn(dialect)],
      ]),
    ],
  ])

const columns: Readonly<Record<Dialect, Columns>> = { sqlite: columnsIn('sqlite'), postgres: columnsIn('postgres') }

/** Documents are kept ready; entries and events are kept as members without braces, which stand in both. */
const tablesIn = (dialect: Dialect): Readonly<Record<CollectionName, Table>> => ({
  customers: { name: 'customers', item: 'doc', scopes: [], flags: [] },
  deals: { name: 'deals', item: 'doc', scopes: ['customerId', 'owner'], flags: ['held', 'deleted'] },
  history: {
    name: 'events',
    item: `'{' || body || ',"action":"' || action || '","type":"' || type || '","at":"' || at || '"}'`,
    scopes: ['deal'],
    flags: [],
  },
  commands: {
    name: 'commands',
    item: `'{"id":"' || id || '","deal":"' || deal_id || '","action":"' || action || '","params":' || params || ',"status":"' || status || '","revision":' || revision || ',"decidedAt":"' || decided_at || '","refusal":' || coalesce(refusal, 'null') || '}'`,
    scopes: ['deal'],
    flags: [],
  },
  events: {
    // PostgreSQL's view leaves out what could still be overtaken.
    name: dialect === 'sqlite' ? 'events' : 'feed',
    // CloudEvents 1.0, JSON event format.
    item: `'{"specversion":"1.0","id":"' || ${sequenceIn(dialect).text} || '","source":"/events","type":"' || type || '","subject":"' || deal_id || '","time":"' || at || '","sequence":"' || ${sequenceIn(dialect).text} || '","datacontenttype":"application/json","data":{' || body || ',"deal":' || deal || '}}'`,
    scopes: [],
    flags: [],
  },
  webhooks: { name: 'webhooks', item: 'doc', scopes: [], flags: [] },
  deliveries: {
    name: 'deliveries',
    // An error is one of our own words; an answer is kept as JSON.
    item: `'{"number":' || number || ',"event":"' || ${sequenceIn(dialect).text} || '","type":"' || type || '","deal":"' || deal_id || '","status":"' || status || '","attempts":' || attempts || ',"lastTryAt":' || ${quoted('last_try_at')} || ',"responseStatus":' || coalesce(CAST(response_status AS TEXT), 'null') || ',"duration":' || coalesce(CAST(duration AS TEXT), 'null') || ',"answer":' || coalesce(answer, 'null') || ',"error":' || ${quoted('error')} || ',"nextTryAt":' || ${quoted('next_try_at')} || ',"createdAt":"' || created_at || '"}'`,
    scopes: ['webhook'],
    flags: [],
  },
})

const quoted = (column: string): string => `coalesce('"' || ${column} || '"', 'null')`

const tables = { sqlite: tablesIn('sqlite'), postgres: tablesIn('postgres') } as const

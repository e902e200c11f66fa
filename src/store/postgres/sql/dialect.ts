import { createHash } from 'node:crypto'
import { BETWEEN } from '../../../values/kinds/choices.ts'
import { MOST_DECIMALS } from '../../../values/kinds/money.ts'
import { SEQUENCE_DIGITS } from '../../../values/kinds/sequence.ts'
import { gramsOf, hasGram } from '../../select/grams.ts'
import { type SqlDialect, type SqlValue, summed } from '../../sql/dialect.ts'
import { caselessText, foldedText } from './folded-text.ts'
import { translateRegex } from './regex.ts'

const digits = SEQUENCE_DIGITS.postgres
const instant = (moment: string): string => `to_char((${moment}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The nearest integer to a quotient; if two are equally near, the even one. */
function halfEven(dividend: string, divisor: string): string {
  const rest = `mod(mod(${dividend}, ${divisor}) + ${divisor}, ${divisor})`
  const floor = `div(${dividend} - ${rest}, ${divisor})`
  const isUp = `2 * ${rest} > ${divisor} OR (2 * ${rest} = ${divisor} AND mod(${floor}, 2) <> 0)`
  return `(${floor} + CASE WHEN ${isUp} THEN 1 ELSE 0 END)`
}

/** A query for lexemes as they are. */
function askedGrams(literal: string): readonly string[] {
  const quoted = (gram: string): string => `'${gram.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return hasGram(literal) ? gramsOf(literal).map(quoted) : [`${quoted(literal)}:*`]
}

/** Needs no quoting, and contains no mark of a parameter. */
const plainText = /^[\w .-]*$/

/** The longest text in bytes that an index holds; longer ones are identified by their digests. */
const LONGEST_INDEXED = 2000
const BEGINNING = 300

/** As the function `own_index_value` of the migrations. */
function ownIndexValue(value: unknown): string {
  if (typeof value === 'number') return (BigInt(value) + 2n ** 63n).toString(16).padStart(16, '0')
  const text = String(value)
  if (Buffer.byteLength(text) <= LONGEST_INDEXED) return text
  const digest = createHash('sha256').update(text).digest('hex')
  return `${Array.from(text).slice(0, BEGINNING).join('')}\u0001${digest}`
}

export const postgres: SqlDialect = {
  name: 'postgres',
  // None of our texts contains a `?`.
  marked(text) {
    let number = 0
    return text.replace(/\?(\d*)/g, (_, given: string) => `$${given || ++number}`)
  },
  toParameter: (value) => value as SqlValue,
  parameter: (type) => `?::${type}`,

  unindexed: '',
  truths: (column) => ({ true: `${column} = true`, false: `${column} = false` }),
  // Alone, it is an anti join.
  firstOr: (_isFirst, noEarlier) => `(${noEarlier})`,
  presence: (column) => ({ true: `${column} IS NOT NULL`, false: `${column} IS NULL` }),
  // A product of numerics is exact, a quotient is rounded.
  amountText: (column, decimals = MOST_DECIMALS) =>
    `trim_scale(${column} * ${(10 ** -decimals).toFixed(decimals)})::text`,
  // The sum of bigints is numeric, which is unbounded.
  sum: (column) => ({ parts: [summed(`sum(${column})`)], value: ([sum = '']) => sum }),
  average: (column, times, unit) => ({
    parts: [summed(`sum(${column})`), summed(`count(${column})`), { sql: unit, joined: 'max' }],
    value: ([sum = '', count = '', each = '']) =>
      `${halfEven(`(${sum} * ${times})`, `(nullif(${count}, 0) * ${each})`)} * ${each}`,
  }),
  exactText: (sum) => `${sum}::text`,
  quoted: (text) => `coalesce(to_json(${text})::text, 'null')`,
  isoWeek: (date) => `to_char(substr(${date}, 1, 10)::date, 'IYYY-"W"IW')`,
  // The planner chooses the order of the join.
  refers: ({ table, key, reference }) =>
    `EXISTS (SELECT 1 FROM ${table} AS related WHERE related.${key} = ${reference}`,
  // The planner would hash all of the table's matching rows; it does not rewrite a subquery with an offset.
  lookedUp: ' OFFSET 0',
  smaller: (one, other) => `least(${one}, ${other})`,
  // "C" knows the case of ASCII letters only.
  lower: (text) => `lower((${text}) COLLATE "C")`,
  member: (json, name) => `(${json}::json ->> '${name}') COLLATE "C"`,
  typed: (member, type) => (type === 'text' ? member : `(${member})::${type}`),
  // Characters are counted one by one, bytes are not.
  unclosed: (json) =>
    `convert_from(substr(convert_to(${json}, 'UTF8'), 1, octet_length(${json}) - 1), 'UTF8') COLLATE "C"`,
  literal: (text) =>
    plainText.test(text) ? `'${text}'` : `convert_from('\\x${Buffer.from(text).toString('hex')}'::bytea, 'UTF8')`,
  rowsNamed: (name) => `${name} (value)`,
  hasPart: (text, part) => `strpos(${text}, ${part}) > 0`,
  eachOf: (set) => `LATERAL unnest(string_to_array(${set}, '${BETWEEN}'))`,
  fold: foldedText,
  caseless: caselessText,
  gramRows: (table, literals) => ({
    text: `SELECT id AS found FROM ${table} WHERE grams @@ ?::tsquery`,
    values: [literals.flatMap(askedGrams).join(' & ')],
  }),
  indexedKey: (key) => key,
  ownIndex: {
    row: 'id',
    key: 'id',
    type: 'text',
    kept: ownIndexValue,
    value: (expression) => `own_index_value(to_json(${expression}))`,
    shown: (value, type) =>
      type === 'bigint' ? `(('x' || ${value})::bit(64)::bigint # (-9223372036854775808))` : `${value}::${type}`,
    join: 'JOIN',
    values: { each: (own) => `json_each(${own}::json)`, value: 'own_index_value(member.value)' },
    place: (text, isNumber) => `${text}::${isNumber ? 'bigint' : 'text'}`,
    // To wait here for a batch, which may wait for these rows, could last until one of both is ended.
    lockRows: 'FOR SHARE NOWAIT',
  },
  // Patterns know letters by collation: "C" knows the same ones as RE2.
  matches: (text) => `(${text}) COLLATE "C" ~ ?::text`,
  pattern: (value) => translateRegex(String(value)),

  // The view leaves out events that could still be overtaken.
  feed: 'feed',
  // The digits are stored; those of events from SQLite are fewer.
  sequence: { sql: 'sequence', type: 'text', text: 'sequence', parameter: `lpad(?::text, ${digits}, '0')` },
  beforeAll: `'${'0'.repeat(digits)}'`,

  // The database's clock, which all instances share. Stable within a statement, so that an index can be used with it.
  now: instant('statement_timestamp()'),
  fromNow: (milliseconds) => instant(`statement_timestamp() + ${milliseconds}::bigint * interval '1 millisecond'`),
  among: (column, list, type = 'text') => `${column} = ANY (${list}::${type}[])`,
  listed: (list, type) => `SELECT unnest(${list}::${type}[])`,
  asksForEach: false,
  rowId: 'ctid',
  // A TID scan, whatever the planner estimates for the table.
  isOneOf: (select, column = 'ctid') => `${column} = ANY (ARRAY(${select}))`,
  placesNulls: false,
  rowsBehind: () => undefined,
  lock: 'FOR UPDATE',
  lockFree: 'FOR UPDATE SKIP LOCKED',
  lockShared: 'FOR SHARE',
  indexedBy: () => '',
}

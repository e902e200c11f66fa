import { BETWEEN } from '../../../values/kinds/choices.ts'
import { MOST_DECIMALS } from '../../../values/kinds/money.ts'
import { SEQUENCE_DIGITS } from '../../../values/kinds/sequence.ts'
import { gramsOf, hasGram } from '../../select/grams.ts'
import type { SqlDialect, SqlValue } from '../../sql/dialect.ts'
import { eventChain } from './event-chain.ts'
import { exactAverage, exactSum, keptSum } from './exact-numbers.ts'

const sequenceText = `printf('%0${SEQUENCE_DIGITS.sqlite}d', sequence)`
const instant = (modifier = ''): string => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now'${modifier})`

/** The largest number of a row; none has it. */
const BEYOND = '9223372036854775807'

const quoted = (gram: string): string => `"${gram.replaceAll('"', '""')}"`

/** Every row that the index leads to is compared with the text, so waiting rows only have to be included. */
const later = (grams: string): string => ` UNION ALL SELECT row FROM ${laterTable(grams)}`

/** The rows of a table that are not yet indexed, each with its currently indexed text. */
export const laterTable = (grams: string): string => `${grams}_later`

/** Needs no quoting, and contains no mark of a parameter. */
const plainText = /^[\w .-]*$/

export const sqlite: SqlDialect = {
  name: 'sqlite',
  // SQLite plans a statement again whenever a plain parameter is bound as its limit.
  marked: (text) => text.replaceAll(/LIMIT \?\d*/g, '$& + 0'),
  // SQLite has no booleans and no arrays: lists are JSON.
  toParameter: (value) =>
    typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : (value as SqlValue),
  parameter: () => '?',

  // A column with a unary plus is an expression for the planner, so it uses no index.
  unindexed: '+',
  truths: (column) => ({ true: `${column} = 1`, false: `${column} = 0` }),
  // It looks for earlier rows one row at a time.
  firstOr: (isFirst, noEarlier) => `(${isFirst} OR ${noEarlier})`,
  // Both are found in one index on the expression, in the order of the rows.
  presence: (column) => ({ true: `(${column} IS NOT NULL) = 1`, false: `(${column} IS NOT NULL) = 0` }),
  // The unary plus keeps the planner from turning EXISTS into a join in another order.
  refers: ({ table, key, reference }, leads) =>
    leads
      ? `${reference} IN (SELECT ${key} FROM ${table} AS related WHERE 1`
      : `+EXISTS (SELECT 1 FROM ${table} AS related WHERE related.${key} = ${reference}`,
  lookedUp: '',
  // SQLite knows the case of ASCII letters only.
  lower: (text) => `lower(${text})`,
  member: (json, name) => `${json} ->> '${name}'`,
  typed: (member) => `(${member})`,
  // Reads the end of the text alone, and not each of its characters.
  unclosed: (json) => `rtrim(${json}, '}')`,
  literal: (text) => (plainText.test(text) ? `'${text}'` : `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`),
  rowsNamed: (name) => name,
  hasPart: (text, part) => `instr(${text}, ${part}) > 0`,
  eachOf: (set) => `json_each('[' || replace(json_quote(${set}), '${BETWEEN}', '","') || ']')`,
  gramRows: (table, literals) => {
    const [first = ''] = literals
    return literals.every(hasGram)
      ? {
          text: `SELECT rowid AS found FROM ${table} WHERE ${table} MATCH ?${later(table)}`,
          values: [literals.flatMap(gramsOf).map(quoted).join(' ')],
        }
      : {
          text: `SELECT doc AS found FROM ${table}_terms WHERE term >= ? AND term < ?${later(table)}`,
          values: [first, `${first}\u{10ffff}`],
        }
  },
  // Rows are numbered in the order of their ids: schema/row-order.ts.
  keyOrder: (table) => ({
    sql: 'rowid',
    type: 'bigint',
    text: 'id',
    compared: (sign, id) => {
      if (sign === '=') return `(SELECT rowid FROM ${table} WHERE id = ${id})`
      return sign === '>' || sign === '<='
        ? `coalesce((SELECT rowid FROM ${table} WHERE id <= ${id} ORDER BY id DESC LIMIT 1), 0)`
        : `coalesce((SELECT rowid FROM ${table} WHERE id >= ${id} ORDER BY id LIMIT 1), ${BEYOND})`
    },
  }),
  indexedKey: () => 'rowid',
  ownIndex: {
    row: 'n',
    key: 'rowid',
    type: 'text',
    kept: (value) => (typeof value === 'boolean' ? Number(value) : (value as string | number)),
    value: (expression) => expression,
    shown: (value) => value,
    // In this order, whatever the planner thinks.
    join: 'CROSS JOIN',
    values: { each: (own) => `json_each(${own})`, value: 'member.value' },
    place: (text) => `CAST(${text} AS INTEGER)`,
    lockRows: '',
  },
  // Registered by exact-numbers.ts.
  amountText: (column, decimals = MOST_DECIMALS) => `amount_text(${column}, ${decimals})`,
  sum: exactSum,
  keptSum,
  average: exactAverage,
  exactText: (sum) => `exact_text(${sum})`,
  quoted: (text) => `json_quote(${text})`,
  isoWeek: (date) => `strftime('%G-W%V', ${date})`,
  // Registered by text-functions.ts.
  fold: (text) => `folded_text(${text})`,
  caseless: (text) => `caseless_text(${text})`,
  matches: (text) => `matches_regex(?, ${text})`,
  pattern: (re2) => re2,
  smaller: (one, other) => `min(${one}, ${other})`,

  feed: 'feed',
  // A sequence is a serial number.
  sequence: {
    sql: 'sequence',
    type: 'text',
    text: sequenceText,
    selected: sequenceText,
    parameter: 'CAST(? AS INTEGER)',
  },
  beforeAll: '0',
  chain: eventChain,

  now: instant(),
  fromNow: (milliseconds) => instant(`, (${milliseconds} / 1000.0) || ' seconds'`),
  among: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  listed: (list) => `SELECT value FROM json_each(${list})`,
  asksForEach: true,
  rowId: 'rowid',
  isOneOf: (select, column = 'rowid') => `${column} IN (${select})`,
  placesNulls: true,
  // SQLite counts the entries of whole pages.
  rowsBehind: (table) => `max(0, (SELECT count(*) FROM ${table}) - ?)`,
  // No lock is needed: a writing transaction has the file to itself.
  lock: '',
  lockFree: '',
  lockShared: '',
  indexedBy: (index) => `INDEXED BY ${index}`,
}

import { SEQUENCE_DIGITS } from '../../values/kinds/sequence.ts'
import type { SqlDialect, SqlValue } from '../sql/dialect.ts'

const sequenceText = `printf('%0${SEQUENCE_DIGITS.sqlite}d', sequence)`
const instant = (modifier = ''): string => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now'${modifier})`

export const sqlite: SqlDialect = {
  name: 'sqlite',
  marked: (text) => text,
  // There are no booleans, and lists are JSON.
  toParameter: (value) =>
    typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : (value as SqlValue),
  parameter: () => '?',

  // The planner takes a column behind a unary plus for an expression, and so looks for no index.
  unindexed: '+',
  truths: (column) => ({ true: `${column} = 1`, false: `${column} = 0` }),
  // Both functions are ours (regex.ts).
  amountText: (column) => `amount_text(${column})`,
  matches: (text) => `matches_regex(?, ${text})`,
  pattern: (re2) => re2,
  smaller: (one, other) => `min(${one}, ${other})`,

  feed: 'events',
  // Events are counted.
  sequence: {
    sql: 'sequence',
    type: 'text',
    text: sequenceText,
    selected: sequenceText,
    parameter: 'CAST(? AS INTEGER)',
  },
  beforeAll: '0',

  now: instant(),
  fromNow: (milliseconds) => instant(`, (${milliseconds} / 1000.0) || ' seconds'`),
  among: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  rowId: 'rowid',
  isOneOf: (select) => `rowid IN (${select})`,
  // A transaction that writes has the file for itself.
  lock: '',
  lockFree: '',
  indexedBy: (index) => `INDEXED BY ${index}`,
}

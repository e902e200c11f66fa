import type { Value } from '../../queries/query.ts'
import type { Statement } from './statement.ts'

/**
 * What an engine's SQL has of its own. Each engine's value is in its driver's folder; everything else here and in
 * `work/` is written once, with `?`, or `?1`, `?2` …, for parameters.
 */
export interface SqlDialect {
  readonly name: string
  /** The text with the engine's own marks for parameters. */
  marked(text: string): string
  /** A value as the driver takes it. */
  toParameter(value: unknown): SqlValue
  /** A parameter that is compared with a column of a type: a value wider than the column must not be an error. */
  parameter(type: ColumnType): string

  /** Prefixes a column that the planner must not choose an index for. */
  readonly unindexed: string
  /** A boolean column's conditions, as the indexes on them are declared. */
  truths(column: string): { readonly true: string; readonly false: string }
  /**
   * The beginning of a condition that a column holds the key of a row; the conditions on that row and a parenthesis
   * follow. If it leads, rows are found by the keys; otherwise the row of each key is looked up.
   */
  refers(to: { readonly table: string; readonly key: string; readonly reference: string }, leads: boolean): string
  /** Ends such a condition on texts: they are looked at in the rows of the keys, never in all rows at once. */
  readonly lookedUp: string
  /** An amount as clients see it: a decimal without trailing zeros. Also of a sum or an average. */
  amountText(column: string, decimals?: number): string
  /** The exact sum of integers; null of none. */
  sum(column: string): Aggregate
  /** The sum of what the rows of totals hold of a column; none where the engine keeps no totals. decisions/0044 */
  readonly keptSum?: (column: string) => Aggregate
  /**
   * `times` × the average of integers, rounded half-even to a multiple of `unit`; null for no rows. The unit is an
   * aggregate that is the same for all rows.
   */
  average(column: string, times: number, unit: string): Aggregate
  /** A sum as digits. */
  exactText(sum: string): string
  /** A text as JSON, `null` for null. */
  quoted(text: string): string
  /** The ISO 8601 week of a date or an instant, such as 2026-W46. */
  isoWeek(date: string): string
  smaller(one: string, other: string): string
  /** A text of ASCII in lower case. */
  lower(text: string): string
  /** Any text, folded as `fold` does it. */
  fold(text: string): string
  /** A member of an object, which is kept as JSON text; null where there is none. */
  member(json: string, name: string): string
  /** Whether a text matches the pattern that the parameter is. */
  matches(text: string): string
  /** Selects the rows of an index of grams in whose texts all of this occurs, and some others. decisions/0029 */
  gramRows(table: string, literals: readonly string[]): { readonly text: string; readonly values: readonly SqlValue[] }
  /** The column that identifies a row in every index of its table, which has the key in the given one. */
  indexedKey(key: string): string
  /** The engine's own pattern for one of RE2 that it can search for. */
  pattern(re2: string): string

  /** The events that may be read, in order. */
  readonly feed: string
  /** An event's place in the feed. */
  readonly sequence: SqlColumn
  /** The place before the first event. */
  readonly beforeAll: string

  /** The clock that leases and waits go by, as instants are kept; the same throughout a statement. */
  readonly now: string
  /** In so many milliseconds; null for null. */
  fromNow(milliseconds: string): string
  /** Whether a column has one of the values in a parameter that is a list, of texts unless it says otherwise; never for null. */
  among(column: string, list: string, type?: ColumnType): string
  /** Identifies a row for the time of a statement. */
  readonly rowId: string
  /** Whether a row is one of those whose ids, or else values of another unique column, are selected. */
  isOneOf(select: string, column?: string): string
  /** Whether an index gives its nulls at either end in either direction. */
  readonly placesNulls: boolean
  /** How many rows of a table are left when so many are passed over; nothing where that takes reading them. */
  rowsBehind(table: string): string | undefined
  /** Ends a select that locks its rows until the transaction ends: it waits for locked ones, or skips them. */
  readonly lock: string
  readonly lockFree: string
  /** The index to use, where the planner would choose another. */
  indexedBy(index: string): string
}

/** A number of any size, computed from a group's rows. */
export interface Aggregate {
  /** Aggregates of the rows. */
  readonly parts: readonly AggregatePart[]
  /** The number, made of the parts; it sorts as a number. */
  value(parts: readonly string[]): string
}

/** An aggregate of rows, and what makes one of those of two sets of rows. */
export interface AggregatePart {
  readonly sql: string
  readonly joined: 'sum' | 'min' | 'max'
}

export const summed = (sql: string): AggregatePart => ({ sql, joined: 'sum' })

export type ColumnType = 'bigint' | 'text' | 'boolean'

/** Where a field is kept. */
export interface SqlColumn {
  /** What is compared and sorted. */
  readonly sql: string
  /** The type of what it is compared with. */
  readonly type: ColumnType
  /** What a regex looks at: the value as clients see it. */
  readonly text: string
  /** The same folded, where that is not simply made of it. */
  readonly folded?: string
  /** What a select gives, where that is not what is compared. */
  readonly selected?: string
  /** The whole value, where what is compared is bounded. */
  readonly whole?: string
  /** The parameter that it is compared with, where that is not simply one of its type. */
  readonly parameter?: string
  /** What equality compares, where an index is kept on something else, and `of` which rows. */
  readonly equal?: { readonly sql: string; readonly of: string; readonly parameter?: string }
  /** What it is sorted by, where that is not the column itself: the rank of a choice among its values. */
  readonly order?: SqlColumn
  /** The ranks of values that it is compared with. */
  readonly ranks?: ReadonlyMap<unknown, number>
  /** For booleans, the conditions as the indexes on them are declared. */
  readonly is?: { readonly true: string; readonly false: string }
}

export type SqlValue = Value | readonly Value[]

/** A statement in the engine's own text. */
export const statementIn = (dialect: SqlDialect, { text, ...named }: Statement): Statement => ({
  ...named,
  text: dialect.marked(text),
})

/** Statements in the engine's own text, prepared under the names that they have here, with what they are about. */
export const statementsIn = <const Texts extends Readonly<Record<string, string>>>(
  dialect: SqlDialect,
  about: string,
  texts: Texts,
): Readonly<Record<keyof Texts, Statement>> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, statementIn(dialect, { name: `${about} ${name}`, text })]),
  ) as Readonly<Record<keyof Texts, Statement>>

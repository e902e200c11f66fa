import type { Value } from '../../queries/query.ts'
import type { Slot, Sql } from './sql.ts'
import type { Statement } from './statement.ts'

/**
 * The differences in an engine's SQL. Each engine's value is in its driver's folder; everything else here and in
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
  /** The conditions of a boolean column, as its indexes are declared. */
  truths(column: string): { readonly true: string; readonly false: string }
  /** The condition that a row is the first of its thing or that there is no earlier one, given both. */
  firstOr(isFirst: string, noEarlier: string): string
  /** The conditions that a column has a value, or none, as its indexes are declared. */
  presence(column: string): { readonly true: string; readonly false: string }
  /**
   * The beginning of a condition that a column holds the key of a row; the conditions on that row and a parenthesis
   * follow. If it leads, rows are found by the keys; otherwise the row of each key is looked up.
   */
  refers(to: { readonly table: string; readonly key: string; readonly reference: string }, leads: boolean): string
  /** Ends such a condition on texts: they are examined in the rows of the keys, never in all rows at once. */
  readonly lookedUp: string
  /** An amount as clients see it: a decimal without trailing zeros. Also for a sum or an average. */
  amountText(column: string, decimals?: number): string
  /** The exact sum of integers; null for no rows. */
  sum(column: string): Aggregate
  /** The sum over the rows of totals; absent if the engine keeps no totals. decisions/0044 */
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
  /** An ASCII text in lower case. */
  lower(text: string): string
  /** Any text in one case, as by `caseless`. */
  readonly caseless: (text: string) => string
  /** Any text, folded as by `fold`. */
  fold(text: string): string
  /** A member of an object that is stored as JSON text; null if there is none. */
  member(json: string, name: string): string
  /** Such a member as a value of a type. */
  typed(member: string, type: ColumnType): string
  /** A JSON object whose last member is no object, without its closing brace. */
  unclosed(json: string): string
  /** A text as part of a statement. */
  literal(text: string): string
  /** Whether a text contains another. */
  hasPart(text: string, part: string): string
  /** The values of a set, which is a text of them, as rows of one column, `value`. */
  eachOf(set: string): string
  /** The name of such rows. */
  rowsNamed(name: string): string
  /** Whether a text matches the pattern in the parameter. */
  matches(text: string): string
  /** Selects the rows of an index of grams whose texts contain all of these, and some others. decisions/0029 */
  gramRows(table: string, literals: readonly string[]): { readonly text: string; readonly values: readonly SqlValue[] }
  /**
   * The order of the ids that a store assigns to the things of a table, if it is not that of the column itself: then
   * indexes need not repeat the ids.
   */
  keyOrder?(table: string): SqlColumn
  /** The column that identifies a row in every index of its table, which has the key in the given one. */
  indexedKey(key: string): string
  /** The engine's own pattern for an RE2 pattern that it supports. */
  pattern(re2: string): string

  /** The readable events, in order. */
  readonly feed: string
  /** An event's position in the feed. */
  readonly sequence: SqlColumn
  /** The position before the first event. */
  readonly beforeAll: string
  /** Absent if an index leads to the events of a thing. */
  readonly chain?: EventChain

  /** The clock for leases and waits, in the format of instants; constant within a statement. */
  readonly now: string
  /** In this many milliseconds; null for null. */
  fromNow(milliseconds: string): string
  /** Whether a column has one of the values in a list parameter, of texts by default; never for null. */
  among(column: string, list: string, type?: ColumnType): string
  /** Selects the values of a list parameter. */
  listed(list: string, type: ColumnType): string
  /** Whether rows with several keys are best asked for one by one: a statement costs no round trip. */
  readonly asksForEach: boolean
  /** Identifies a row within a statement. */
  readonly rowId: string
  /** Whether a row is one of those whose ids, or values of another unique column, are selected. */
  isOneOf(select: string, column?: string): string
  /** Whether an index has its nulls at the required end in either direction. */
  readonly placesNulls: boolean
  /** The number of rows of a table after skipping some; undefined if that requires reading them. */
  rowsBehind(table: string): string | undefined
  /** Ends a select that locks its rows until the transaction ends: it waits for locked ones, or skips them. */
  readonly lock: string
  readonly lockFree: string
  /** The same; others may lock them so, too. */
  readonly lockShared: string
  /** The tables of the values of added fields. */
  readonly ownIndex: OwnIndex
  /** The index to use if the planner would choose another. */
  indexedBy(index: string): string
}

/** Events that lead from one to the previous one of the same thing, and every 16th of which has an index. decisions/0060 */
export interface EventChain {
  /**
   * Selects the positions of the events of the things whose keys, as texts, meet a condition: all of them, or some of
   * one thing.
   */
  events(resource: EventedTable, is: KeyIs, some?: SomeEvents): Sql
  /** The same of one thing, some around a revision: its event, if there is one, and the last before it. */
  near(resource: EventedTable, is: KeyIs, revision: string): Sql
  /** The column with the position of the previous event. */
  readonly previous: string
  /** The condition that the index has an event, and what makes it so. */
  readonly milestone: string
}

/** A condition on the column with a key. */
export type KeyIs = (key: string) => Sql

/** A resource, whose table has the last event of each thing. */
export interface EventedTable {
  readonly plural: string
}

/** At least the first events of a thing within bounds, as many as the limit says. */
export interface SomeEvents {
  readonly bounds: readonly Sql[]
  readonly descending: boolean
  readonly limit: Sql
}

/** A table with the values of the added fields of another, in their order. */
export interface OwnIndex {
  /** Its column that identifies the row of a thing, and that column of the thing's table. */
  readonly row: string
  readonly key: string
  /** The type of the values. */
  readonly type: ColumnType
  /** A value as it is there. */
  kept(value: unknown): string | number
  /** The expression of a value as it is there. */
  value(expression: string): string
  /** The expression of such a value as that of a field of a type. */
  shown(value: string, type: ColumnType): string
  /** Joins the thing of each of its rows, in its order. */
  readonly join: string
  /** The members of a column of values as rows, and the value of such a row, `member`, as it is there. */
  readonly values: { each(own: string): string; readonly value: string }
  /** A place in the order of the things' rows, from a text. */
  place(text: string, isNumber: boolean): string
  /** Ends a select of rows that nobody changes until the transaction ends; it fails if somebody does. */
  readonly lockRows: string
}

/** A number of any size, computed from a group's rows. */
export interface Aggregate {
  /** Aggregates of the rows. */
  readonly parts: readonly AggregatePart[]
  /** The number, computed from the parts; it sorts as a number. */
  value(parts: readonly string[]): string
}

/** An aggregate of rows, and how to merge those of two sets of rows. */
export interface AggregatePart {
  readonly sql: string
  readonly joined: 'sum' | 'min' | 'max'
}

export const summed = (sql: string): AggregatePart => ({ sql, joined: 'sum' })

export type ComparedBy = '<' | '<=' | '>' | '>=' | '='

export type ColumnType = 'bigint' | 'text' | 'boolean'

/** The storage of a field. */
export interface SqlColumn {
  /** The expression that is compared and sorted. */
  readonly sql: string
  /** The type of the values it is compared with. */
  readonly type: ColumnType
  /** The text for a regex: the value as clients see it. */
  readonly text: string
  /** The same folded, if it cannot be computed from the text. */
  readonly folded?: string
  /** The selected expression, if it differs from the compared one. */
  readonly selected?: string
  /** The whole value, if the compared one is bounded. */
  readonly whole?: string
  /** The parameter for comparisons, if it is not simply one of the type. */
  readonly parameter?: string
  /** The same, if it depends on the comparison. */
  readonly compared?: (sign: ComparedBy, parameter: string) => string
  /** The expression for equality, if an index is on something else, and `of` which rows. */
  readonly equal?: {
    readonly sql: string
    readonly of: string
    readonly parameter?: string
    /** The condition by which an index leads to the rows, if it is another one. */
    readonly leading?: (is: KeyIs, some?: SomeEvents) => Sql
  }
  /** The expression for sorting, if it is not the column itself: the rank of a choice among its values. */
  readonly order?: SqlColumn
  /** An expression with the same order among the rows that are read, which need no sorting by it. */
  readonly alike?: string
  /** The same for a range, if the rank of a value in it depends on the row. */
  readonly range?: SqlColumn
  /** The ranks of values that it is compared with. */
  readonly ranks?: ReadonlyMap<unknown, number>
  /** The index of an added field, which has no nulls. */
  readonly led?: LedColumn
  /** For a set, the condition that it has a value. */
  readonly has?: (value: string) => string
  /** For booleans, the conditions as their indexes are declared. */
  readonly is?: { readonly true: string; readonly false: string }
}

/** The values of an added field in the table of indexed ones. decisions/0062 */
export interface LedColumn {
  /** Selects its rows as `led`. */
  readonly values: string
  /** The same with their things. */
  readonly from: string
  /** The rows of the things whose value meets a condition; if they are known to be few, these lead to the things. */
  among(is: (value: string) => Sql, areFew: boolean): Sql
  /** A value that is compared with one of the index. */
  parameter(slot: Slot): Sql
}

/** The value of such a row, and the place of its thing. */
export const [LED_VALUE, LED_ROW] = ['led_value', 'led_row']

export type SqlValue = Value | readonly Value[]

/** A statement in the engine's own text. */
export const statementIn = (dialect: SqlDialect, { text, ...named }: Statement): Statement => ({
  ...named,
  text: dialect.marked(text),
})

/** Statements in the engine's own text, prepared under the names given here, with their subject. */
export const statementsIn = <const Texts extends Readonly<Record<string, string>>>(
  dialect: SqlDialect,
  about: string,
  texts: Texts,
): Readonly<Record<keyof Texts, Statement>> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, statementIn(dialect, { name: `${about} ${name}`, text })]),
  ) as Readonly<Record<keyof Texts, Statement>>

import { type Collection, type CollectionField, fieldOf } from '../../../queries/collection.ts'
import { narrows, operators } from '../../../queries/operators.ts'
import type { SortTerm, Term, Tree } from '../../../queries/query.ts'
import { isOwn } from '../../../values/json/own.ts'
import {
  type ComparedBy,
  LED_ROW,
  LED_VALUE,
  type SomeEvents,
  type SqlColumn,
  type SqlDialect,
} from '../../sql/dialect.ts'
import { join, raw, type Slot, type Sql, sql } from '../../sql/sql.ts'
import { columnOf } from '../columns.ts'
import { condition, indexedConditions, isLedBy, parameter, relatedCondition, treeCondition } from '../conditions.ts'
import type { Order } from '../order.ts'
import { byRow } from '../related-rows.ts'
import { hasValues, type Segment, type SegmentBound } from '../segments.ts'
import { tableOf } from '../tables.ts'

/**
 * `sorted` reads along the sort's index and skips rows that do not match: right unless few rows match. `driving` reads
 * the rows that a part of the filter leaves from its own indexes, and sorts them: right if they are few. `planned`
 * leaves the choice to the planner.
 */
export type Strategy = 'sorted' | 'planned' | { readonly driving: Driver }

/** A part of a filter that indexes lead to: its terms on one field, or one of its trees. */
export type Driver = CollectionField | Tree

/** The input of a statement's text: everything in a query except its values. */
export interface SelectShape {
  readonly collection: Collection
  /** The terms outside trees, and the trees. */
  readonly terms: readonly Term[]
  readonly trees: readonly Tree[]
  /** Every term, in the order of their values. */
  readonly leaves: readonly Term[]
  readonly order: Order
  /** The fields that are selected in addition to the item. */
  readonly selected: readonly SortTerm[]
  readonly skips: boolean
  readonly dialect: SqlDialect
  readonly strategy: Strategy
}

/** The column that orders the keys of a collection. */
export function keyOrderOf({ collection, dialect }: Pick<SelectShape, 'collection' | 'dialect'>): SqlColumn {
  const column = columnOf(collection, fieldOf(collection, collection.key), dialect)
  return column.order ?? column
}

export function countSql(shape: SelectShape): Sql {
  const conditions = [...termConditions(shape, shape.terms, () => true), ...treeConditions(shape)]
  return sql`SELECT count(*) FROM ${tableOf(shape.collection, shape.dialect).name}${where(conditions)}`
}

export const driverOf = ({ strategy }: SelectShape): Driver | undefined =>
  typeof strategy === 'object' ? strategy.driving : undefined

export function termConditions(
  shape: SelectShape,
  terms: readonly Term[],
  sargable: (term: Term) => boolean,
  some?: SomeEvents,
  lead?: CollectionField,
): readonly Sql[] {
  const { collection, leaves, dialect } = shape
  const placeOf = (term: Term): number => leaves.indexOf(term)
  const driver = driverOf(shape)
  const leading = terms.filter((term) => term.field !== lead && sargable(term))
  const { indexed, others } = indexedConditions(collection, leading, placeOf, dialect, driver)
  const rest = terms.filter((term) => !leading.includes(term) || others.includes(term))
  const further = byRow(rest).map((group) => {
    const [term] = group
    if (term !== undefined && term.field.through === undefined) {
      const isLed = lead !== undefined && term.field === lead
      return condition(collection, term, placeOf(term), dialect, sargable(term), some, isLed)
    }
    const leader = group.find(({ field, operator }) => field === driver && narrows(operator))
    return relatedCondition(collection, group, placeOf, dialect, leader?.field)
  })
  return [...indexed, ...further]
}

/** The trees of a filter. Their indexes are used if they drive, or if the planner chooses them. */
export function treeConditions(shape: SelectShape, trees: readonly Tree[] = shape.trees): readonly Sql[] {
  const { collection, leaves, dialect, strategy } = shape
  const driver = driverOf(shape)
  return trees.map((tree) =>
    treeCondition(collection, tree, leaves, dialect, tree === driver || strategy === 'planned'),
  )
}

export const PAGE: Sql = { text: '?', slots: [({ size }) => size + 1] }
export const SKIP: Sql = { text: '?', slots: [({ skip }) => skip] }
export const SKIP_AND_PAGE: Sql = { text: '?', slots: [({ skip, size }) => skip + size + 1] }

/** If the index of an added field leads to the rows, its value is read from there. */
export function selectedColumns(
  { collection, dialect, selected: fields }: SelectShape,
  lead?: CollectionField,
): string {
  const columns = fields.map(({ field }) => {
    const { order, selected, sql, type } = columnOf(collection, field, dialect)
    if (field === lead) return dialect.ownIndex.shown(LED_VALUE, type)
    return order?.selected ?? selected ?? sql
  })
  return [tableOf(collection, dialect).item, ...columns].map((column, at) => `${column} AS column${at}`).join(', ')
}

/** Both engines run the parts of a UNION ALL one after the other, and no further than its LIMIT. */
export function unionAll(parts: readonly Sql[]): Sql {
  return join(
    parts.map((part, at) => sql`SELECT * FROM (${part}) AS part${String(at)}`),
    ' UNION ALL ',
  )
}

/** One segment, in its order. Only its first rows may matter, as many as a limit says. */
export function segmentSql(
  shape: SelectShape,
  columns: string,
  segment: Segment,
  terms: readonly Term[],
  more: readonly Sql[] = [],
  limit?: Sql,
): Sql {
  const { collection, dialect } = shape
  const lead = leadOf(shape, segment)
  const from = (lead && columnOf(collection, lead, dialect).led?.from) ?? tableOf(collection, dialect).name
  return sql`SELECT ${columns} FROM ${from}${conditionsAndOrder(shape, segment, terms, more, limit)}`
}

/** The row ids of the first rows of segments, in their order: from an index alone. */
export const rowIdsSql = (
  shape: SelectShape,
  segments: readonly Segment[],
  terms: readonly Term[],
  limit: Sql | string,
): Sql => unionAll(segments.map((each) => sql`${rowIdsOf(shape, each, terms)} LIMIT ${limit}`))

function rowIdsOf(shape: SelectShape, segment: Segment, terms: readonly Term[]): Sql {
  const { rowId, ownIndex } = shape.dialect
  const lead = leadOf(shape, segment)
  const alone = lead && ownIndex.key === rowId ? ledAlone(shape, lead, terms) : undefined
  if (alone === undefined) return segmentSql(shape, `${rowId} AS row_id`, segment, terms)
  return sql`SELECT ${LED_ROW} AS row_id FROM ${alone}${conditionsAndOrder(shape, segment, terms)}`
}

function conditionsAndOrder(
  shape: SelectShape,
  segment: Segment,
  terms: readonly Term[],
  more: readonly Sql[] = [],
  limit?: Sql,
): Sql {
  const lead = leadOf(shape, segment)
  const bounded = segment.bounds.map((bound) => boundSql(shape, bound, lead))
  const isAlone = terms.length === 1 && terms[0] === shape.order.anchor && more.length === 0
  const descending = segment.sort[0]?.descending ?? false
  const some = isAlone && limit !== undefined ? { bounds: bounded, descending, limit } : undefined
  const filtered = termConditions(shape, terms, (term) => isSargable(shape, segment, term), some, lead)
  return sql`${where([...bounded, ...filtered, ...more])} ORDER BY ${orderBy(shape, segment, undefined, lead)}`
}

/** The rows of an added field's index, if this answers all of the terms. */
export function ledAlone(
  { collection, dialect }: SelectShape,
  lead: CollectionField,
  terms: readonly Term[],
): string | undefined {
  const isAnswered = terms.every((term) => isLedBy(collection, term, lead, dialect))
  return isAnswered ? columnOf(collection, lead, dialect).led?.values : undefined
}

/** The added field whose index a segment is read from: that of the sort, or of the equality that leaves its rows. */
export function leadOf(shape: SelectShape, segment: Segment): CollectionField | undefined {
  const { collection, dialect, order, terms } = shape
  const hasIndex = (field: CollectionField): boolean => columnOf(collection, field, dialect).led !== undefined
  if (driverOf(shape) !== undefined) return undefined
  const first = order.sort[0]?.field
  if (first?.indexed && hasIndex(first)) return hasValues(segment, first, terms) ? first : undefined
  return order.anchor !== undefined && hasIndex(order.anchor.field) ? order.anchor.field : undefined
}

export function behindCursor(shape: SelectShape, segments: readonly Segment[]): readonly Sql[] {
  if (shape.order.cursor === undefined) return []
  const alternatives = segments.map(
    ({ bounds }) =>
      sql`(${join(
        bounds.map((bound) => boundSql(shape, bound)),
        ' AND ',
      )})`,
  )
  return [sql`(${join(alternatives, ' OR ')})`]
}

function boundSql(shape: SelectShape, { field, as, place, inclusive }: SegmentBound, lead?: CollectionField): Sql {
  const { collection, dialect, order } = shape
  const own = columnOf(collection, field, dialect)
  const column = { ...(own.order ?? own), sql: sortedBy(shape, field, undefined, lead) }
  const at = order.places[place] ?? 0
  const slot: Slot = ({ cursor }) => cursor[at] ?? null
  const compared = (sign: ComparedBy): Sql => {
    const value = field === lead && own.led ? own.led.parameter(slot) : parameter(column, dialect, slot, sign)
    return sql`${column.sql} ${sign} ${value}`
  }
  switch (as) {
    case 'equal':
      return compared('=')
    case 'above':
      return compared(inclusive ? '>=' : '>')
    case 'below':
      return compared(inclusive ? '<=' : '<')
    case 'null':
      return raw(`${column.sql} IS NULL`)
    case 'not null':
      return raw(`${column.sql} IS NOT NULL`)
  }
}

/** The terms that apply to the index that segments are read from, and the others. */
export function dividedTerms(shape: SelectShape, segments: readonly Segment[]) {
  const { terms } = shape
  const sargable = terms.filter((term) => segments.some((segment) => isSargable(shape, segment, term)))
  return { sargable, others: terms.filter((term) => !sargable.includes(term)) }
}

/** Whether a term applies to the index that the segment is read from, and does not move the segment's own start. */
function isSargable(shape: SelectShape, { bounds, sort }: Segment, term: Term): boolean {
  const { collection, order, strategy } = shape
  const { field, operator } = term
  const bound = bounds.find((each) => each.field === field)
  if (bound !== undefined && bound.as !== 'not null') {
    // The cursor's bound is the narrower one on its side.
    const side = operators[operator].bound?.side
    return side !== undefined && side !== bound.as && (bound.as === 'above' || bound.as === 'below')
  }
  if ((strategy === 'planned' && !isOwn(field.name)) || term === order.anchor) return true
  if (driverOf(shape) === undefined && order.lane.includes(term)) return true
  if (operator === 'eq' && field.name === collection.key) return true
  return field === sort[0]?.field && (narrows(operator) || operators[operator].compares === 'presence')
}

export const orderBy = (
  shape: SelectShape,
  segment: Segment,
  byIndex = driverOf(shape) === undefined,
  lead?: CollectionField,
): string =>
  segment.sort
    .map(({ field, descending, nullsFirst }) => {
      // Only for fields that can be null: otherwise neither engine would use the index, in either direction.
      const said = field.kind.nullable && !hasValues(segment, field, shape.terms)
      const nulls = said ? ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}` : ''
      const { alike } = columnOf(shape.collection, field, shape.dialect)
      return `${alike ?? sortedBy(shape, field, byIndex, lead)}${descending ? ' DESC' : ''}${nulls}`
    })
    .join(', ')

/** If something else leads to the rows, the planner must not choose the sort's own index. */
function sortedBy(
  shape: SelectShape,
  field: CollectionField,
  byIndex = driverOf(shape) === undefined,
  lead?: CollectionField,
): string {
  if (lead !== undefined && field === lead) return LED_VALUE
  if (lead !== undefined && field.name === shape.collection.key) return LED_ROW
  const column = columnOf(shape.collection, field, shape.dialect)
  const { sql } = column.order ?? column
  return byIndex ? sql : `${shape.dialect.unindexed}${sql}`
}

export const where = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('') : sql` WHERE ${join(conditions, ' AND ')}`

import type { CollectionField } from '../../queries/collection.ts'
import type { SortTerm, Term, Value } from '../../queries/query.ts'
import { excludesNull, type Order } from './order.ts'

/** A segment's condition on a field: the cursor's value, values after it in the scan's direction, null, or not null. */
export interface SegmentBound {
  readonly field: CollectionField
  readonly as: 'equal' | 'above' | 'below' | 'null' | 'not null'
  /** The index among the cursor's values. */
  readonly place: number
  /** Whether the cursor's value itself is included. */
  readonly inclusive?: boolean
}

/** A part of the order that one range of an index holds: it is read without sorting, from its start. */
export interface Segment {
  readonly bounds: readonly SegmentBound[]
  readonly sort: readonly SortTerm[]
}

/**
 * The order from its start, or from a row on, cut into consecutive segments. No plain comparison of rows can express
 * this: nulls have their own place, and directions may be mixed.
 */
export function segmentsOf({ sort, cursor, inclusive }: Order, terms: readonly Term[]): Segment[] {
  const all = cursor === undefined ? fromStart(sort, terms) : fromRow(sort, cursor, inclusive)
  const possible = all.filter(({ bounds }) => bounds.every((bound) => isPossible(bound, terms)))
  // An empty result needs a query too.
  return possible.length > 0 ? possible : all.slice(0, 1)
}

/** Those that the order's index has, from the first one on. */
export function indexedSegments(order: Order, terms: readonly Term[]): readonly Segment[] {
  const all = segmentsOf(order, terms)
  const first = order.sort[0]?.field
  const nulls = order.lacksNulls && first ? all.findIndex((segment) => !hasValues(segment, first, terms)) : -1
  return nulls === -1 ? all : all.slice(0, nulls)
}

function fromStart(sort: readonly SortTerm[], terms: readonly Term[]): Segment[] {
  const first = sort[0]
  // A filter's own range starts the scan; SQLite might take "not null" for the range instead.
  if (!first?.field.kind.nullable || excludesNull(first.field, terms)) return [{ bounds: [], sort }]
  const values: Segment = { bounds: [{ field: first.field, as: 'not null', place: 0 }], sort }
  const nulls: Segment = { bounds: [{ field: first.field, as: 'null', place: 0 }], sort: sort.slice(1) }
  return first.nullsFirst ? [nulls, values] : [values, nulls]
}

/** First the rows that are equal in all but the last field, then in all but the last two, and so on. */
function fromRow(sort: readonly SortTerm[], cursor: readonly Value[], inclusive: boolean): Segment[] {
  const found: Segment[] = []
  for (let place = sort.length - 1; place >= 0; place--) {
    const term = sort[place]
    if (term === undefined) continue
    const equal = sort.slice(0, place).map(({ field }, at) => sameAs(field, cursor[at] ?? null, at))
    for (const as of behind(term, cursor[place] ?? null)) {
      const isLast = place === sort.length - 1
      const bounds = [...equal, { field: term.field, as, place, inclusive: inclusive && isLast }]
      found.push({ bounds, sort: sort.slice(as === 'null' ? place + 1 : place) })
    }
  }
  return found
}

/** What follows a value, in order. */
function behind({ field, descending, nullsFirst }: SortTerm, value: Value): readonly SegmentBound['as'][] {
  if (value === null) return nullsFirst ? ['not null'] : []
  const values = descending ? 'below' : 'above'
  return field.kind.nullable && !nullsFirst ? [values, 'null'] : [values]
}

const sameAs = (field: CollectionField, value: Value, place: number): SegmentBound => ({
  field,
  as: value === null ? 'null' : 'equal',
  place,
})

/** A segment of nulls is empty if the filter allows none, and one of values if it requires null. */
const isPossible = ({ field, as }: SegmentBound, terms: readonly Term[]): boolean =>
  as === 'null'
    ? !excludesNull(field, terms)
    : !terms.some((term) => term.field === field && term.operator === 'null' && !term.values.includes(false))

/** Whether a field has a value in every row of a segment. */
export const hasValues = ({ bounds }: Segment, field: CollectionField, terms: readonly Term[]): boolean =>
  bounds.some((bound) => bound.field === field && bound.as !== 'null') || excludesNull(field, terms)

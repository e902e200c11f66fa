import type { Field } from '../../queries/collection.ts'
import type { Filter, SortTerm, Term, Value } from '../../queries/query.ts'
import type { Order } from './order.ts'

/** How a segment holds a field: at the cursor's value, behind it in the walk's direction, or by whether it is null. */
export interface Hold {
  readonly field: Field
  readonly as: 'equal' | 'above' | 'below' | 'null' | 'not null'
  /** Which of the cursor's values. */
  readonly place: number
}

/** A stretch of the order: an index walks it without sorting and without looking at what lies before it. */
export interface Segment {
  readonly holds: readonly Hold[]
  readonly sort: readonly SortTerm[]
}

/**
 * The order from its start, or from a row on, cut into stretches that follow each other.
 * No plain comparison of rows can say this: nulls come last in either direction, and directions may be mixed.
 */
export function segments({ sort, from, backwards }: Order, terms: Filter): Segment[] {
  const all = from === undefined ? fromStart(sort, terms) : fromRow(sort, from, backwards)
  const possible = all.filter(({ holds }) => holds.every((hold) => isPossible(hold, terms)))
  // What is impossible must still be a query.
  return possible.length > 0 ? possible : all.slice(0, 1)
}

function fromStart(sort: readonly SortTerm[], terms: Filter): Segment[] {
  const first = sort[0]
  // A filter's own bound starts the walk; SQLite might take "not null" for the bound instead.
  if (!first?.field.kind.nullable || excludesNull(first.field, terms)) return [{ holds: [], sort }]
  return [
    { holds: [{ field: first.field, as: 'not null', place: 0 }], sort },
    { holds: [{ field: first.field, as: 'null', place: 0 }], sort: sort.slice(1) },
  ]
}

/** First what is equal in all but the last field, then in all but the last two, and so on. */
function fromRow(sort: readonly SortTerm[], from: readonly Value[], backwards: boolean): Segment[] {
  const found: Segment[] = []
  for (let place = sort.length - 1; place >= 0; place--) {
    const term = sort[place]
    if (term === undefined) continue
    const equal = sort.slice(0, place).map(({ field }, at) => sameAs(field, from[at] ?? null, at))
    for (const as of beyond(term, from[place] ?? null, backwards)) {
      const holds = [...equal, { field: term.field, as, place }]
      found.push({ holds, sort: sort.slice(as === 'null' ? place + 1 : place) })
    }
  }
  return found
}

/** What the walk meets behind a value, in its order: nulls come last, or first on the way back. */
function beyond(term: SortTerm, value: Value, backwards: boolean): readonly Hold['as'][] {
  if (value === null) return backwards ? ['not null'] : []
  const values = term.descending ? 'below' : 'above'
  return term.field.kind.nullable && !backwards ? [values, 'null'] : [values]
}

const sameAs = (field: Field, value: Value, place: number): Hold => ({
  field,
  as: value === null ? 'null' : 'equal',
  place,
})

/** A stretch of nulls is not walked where the filter allows none, nor one of values where it wants null. */
const isPossible = ({ field, as }: Hold, terms: Filter): boolean =>
  as === 'null'
    ? !excludesNull(field, terms)
    : !terms.some((term) => term.field === field && term.operator === 'null' && !term.values.includes(false))

/** Whether a field has a value in every row of a segment. */
export const hasValues = ({ holds }: Segment, field: Field, terms: Filter): boolean =>
  holds.some((hold) => hold.field === field && hold.as !== 'null') || excludesNull(field, terms)

const excludesNull = (field: Field, terms: Filter): boolean =>
  terms.some((term) => term.field === field && isFalseOfNull(term))

const isFalseOfNull = ({ operator, values }: Term): boolean =>
  operator === 'null' ? !values.includes(true) : operator !== 'ne'

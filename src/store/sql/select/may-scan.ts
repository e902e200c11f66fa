import type { Collection } from '../../../queries/collection.ts'
import { type Filter, isTerm, type Query, skippedBy, type Term } from '../../../queries/query.ts'
import { type Order, orderOf } from './order.ts'

/** Rows that may be passed over at no cost worth speaking of. */
const FEW = 1000

/** Whether a page could cost much more than its rows: then it is not for the thread that answers everyone. */
export function mayScan(collection: Collection, scope: Filter, query: Query): boolean {
  const filter = [...scope, ...query.filter]
  if (filter.some((each) => isTerm(each) && isOnKey(collection, each))) return false
  if (query.count || skippedBy(query) > FEW) return true
  const order = orderOf(collection, filter, query)
  return !order.indexed || !filter.every((each) => isTerm(each) && isAnswered(order, each))
}

/** Leaves so few rows that nothing else matters. */
const isOnKey = ({ key, name }: Collection, { field, operator }: Term): boolean =>
  // Revisions identify an entry within its deal only; history is always scoped by a deal.
  field.name === key && operator === 'eq' && name !== 'history'

/** The index that is read begins and ends where the term does. */
const isAnswered = ({ anchor, sort }: Order, term: Term): boolean =>
  term === anchor || (term.field === sort[0]?.field && rangeOperators.has(term.operator))

const rangeOperators: ReadonlySet<Term['operator']> = new Set(['gt', 'gte', 'lt', 'lte', 'null'])

import type { Collection } from '../../queries/collection.ts'
import type { Filter, Query, Value } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import type { Desk } from '../../store/port/desk.ts'
import { reason } from '../../values/faults/fault.ts'
import { type Problem, wrongParameter } from '../contract/problems/problem.ts'

/** Completes a cursor that omits long values: reads them from the current row. */
export async function recallRow(
  desk: Desk,
  collection: Collection,
  scope: Filter,
  query: Query,
): Promise<{ readonly query: Query } | { readonly problem: Problem }> {
  const { after, before, omitted, ...rest } = query
  const place = before ?? after
  if (place === undefined || omitted === undefined) return { query }
  const filter: Filter = [equals(collection, collection.key, place.at(-1) ?? null)]
  const { first } = await desk.page(collection, scope, { ...rest, filter, page: 1, size: 1, count: false })
  const name = before === undefined ? 'after' : 'before'
  if (first === undefined) {
    return { problem: wrongParameter(name, reason('row-gone')) }
  }
  const values: readonly Value[] = place.map((value, at) => (omitted.includes(at) ? (first[at] ?? null) : value))
  return { query: { ...rest, [name]: values } }
}

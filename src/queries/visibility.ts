import type { Caller } from '../values/role.ts'
import { type Collection, fieldOf } from './collection.ts'
import type { Filter, Term } from './query.ts'
import { equals } from './term.ts'

/** The visible part of a collection whose things belong to their creators. decisions/0039 */
export function visibleTo(caller: Caller | undefined, collection: Collection): Filter {
  const { privacy } = collection
  if (privacy === undefined || caller === undefined || caller.role === 'admin') return []
  const owner = fieldOf(collection, privacy.owner)
  const own: Term = { field: owner, operator: 'eq', values: [caller.name] }
  if (privacy.shared === undefined) return [own]
  const alternatives: readonly Term[] = [
    equals(collection, privacy.shared, true),
    own,
    { field: owner, operator: 'null', values: [true] },
  ]
  return [{ any: alternatives.map((term) => [term]), negated: false }]
}

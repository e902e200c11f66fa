import type { Claimant } from '../model/perform/privacy.ts'
import { type Collection, fieldOf } from './collection.ts'
import type { Filter, Term } from './query.ts'
import { equals } from './term.ts'

/** The visible part of a collection whose things belong to their creators. decisions/0039 */
export function visibleTo(claimant: Claimant | undefined, collection: Collection): Filter {
  const { privacy } = collection
  if (privacy === undefined || claimant === undefined || (claimant.isAdmin && !privacy.keepsFromAdmins)) return []
  const owner = fieldOf(collection, privacy.owner)
  const own: Term = { field: owner, operator: 'eq', values: [claimant.name] }
  if (privacy.shared === undefined) return [own]
  const alternatives: readonly Term[] = [
    equals(collection, privacy.shared, true),
    own,
    { field: owner, operator: 'null', values: [true] },
  ]
  return [{ any: alternatives.map((term) => [term]), negated: false }]
}

import type { PartCounts } from '../../../model/declaration/operation.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import { mayRemovePart } from '../../../model/intent/look-ahead.ts'
import { countParts } from '../model/part-places.ts'
import { together } from '../work.ts'
import { type Concerned, defineFact } from './fact.ts'

/** The number of things in each part of one that may lose a part. */
export const counts = defineFact({
  name: 'counts',
  wanted: concerned,
  *read({ things: { dialect }, resource }, ids) {
    const sought = [...new Set(ids)]
    const counted = yield* together(sought.map((id) => countParts(dialect, resource, id)))
    const found = new Map(sought.map((id, at) => [id, counted[at]]))
    return (id: Key) => found.get(id)
  },
  tell: (ask, about): PartCounts | undefined => concerned(about).map(ask)[0],
})

function concerned({ intent, resource, target }: Concerned): readonly Key[] {
  return target !== undefined && mayRemovePart(intent, resource) ? [target] : []
}

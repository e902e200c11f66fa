import { bySchema } from '../../declaration/by-schema.ts'
import type { HappenedTo, Happening } from '../../declaration/event.ts'
import type { Key } from '../../declaration/resource.ts'
import type { Resource, Schema } from '../../declaration/schema.ts'

export const undoneWords: Happening['words'] = {
  participles: [],
  noun: '',
  action: 'UndoImport',
  event: 'import.undone',
}

const undoneOn = <On extends HappenedTo>(on: On): Happening<On> => ({
  on,
  name: 'undo-import',
  words: undoneWords,
  sentence: () => ({ done: 'undid an import' }),
})

/** One event of the feed tells everything that the undoing of an import did; its subject is the import. */
export const importUndone: Happening = undoneOn({ name: 'import' })

/** The same in the history of a restored thing; the feed leaves it out. */
export const undoneOf = bySchema((resource: Resource): Happening<Resource> => undoneOn(resource))

/** Everything that an undoing can be recorded of. */
export const undoings = bySchema((schema: Schema): readonly Happening[] => [
  importUndone,
  ...schema.resources.map(undoneOf),
])

/** The ids of the things that an import made, and of those that it changed, by the names of their resources. */
export interface UndoneThings {
  readonly removed: { readonly [resource: string]: readonly Key[] }
  readonly restored: { readonly [resource: string]: readonly Key[] }
}

import { isBuilding, whenFilled } from '../model/build/filled-field.ts'
import type { Json } from '../values/kinds/kind.ts'
import type { FilledIndex } from './port/own-indexes.ts'
import { performAlone, type Store } from './port/store.ts'

/**
 * A step for the first field whose index has to be filled: it takes some things more, and after the last of them changes
 * the field. `idle` if there is no such field.
 */
export async function fillNextIndex(
  store: Pick<Store, 'schemas' | 'indexes' | 'perform'>,
  most: number,
): Promise<FilledIndex | 'idle'> {
  const field = store.schemas.current.fields.find(isBuilding)
  if (field === undefined) return 'idle'
  const { on, name, unique, revision = 0 } = field
  const filled = await store.indexes.fillIndex(on, name, revision, most)
  if (filled !== 'done') return filled
  const repeats = unique ? await store.indexes.repeats(on, name) : []
  await performAlone(store, whenFilled(field, repeats as unknown as readonly Json[]))
  await store.indexes.tidyIndex(on)
  return 'done'
}

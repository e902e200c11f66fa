import { isBuilding, whenFilled } from '../model/intent/filled-field.ts'
import type { Json } from '../values/json/json.ts'
import { follow, type Loop } from '../work/follow.ts'
import type { FilledIndex } from './port/own-indexes.ts'
import { performAlone, type Store } from './port/store.ts'

/** The most things of a step; fewer if others change them, because a step waits for nobody. */
const MOST = 250
/** Milliseconds between two looks for a field whose index is to be filled, and after each step, for others. */
const [LOOK, BETWEEN] = [200, 4]

/**
 * Fills the indexes of fields that are to be unique or indexed, while requests are answered. The store has the place that
 * was reached, and every instance takes steps: if one ends, the others continue. decisions/0063
 */
export function fillIndexes(
  store: Pick<Store, 'schemas' | 'indexes' | 'perform'>,
  onFault: (cause: unknown) => void,
): Loop {
  let most = MOST
  return follow({
    async step() {
      try {
        const filled = await fillNextIndex(store, most)
        most = Math.min(MOST, most * 2)
        return filled === 'more'
      } catch (cause) {
        // Somebody changes one of the things, or the store is away.
        most = Math.max(1, Math.floor(most / 2))
        if (most === 1) throw cause
        return false
      }
    },
    pace: { look: LOOK, between: BETWEEN },
    onFault,
  })
}

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

import { fillNextIndex } from '../store/fill-next-index.ts'
import type { Store } from '../store/port/store.ts'
import { follow, type Loop } from './follow.ts'

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

import { randomFillSync } from 'node:crypto'
import { uuidV7 } from '../../values/kinds/uuid.ts'

const MOST_COUNTED = 0xfff
const BYTES = 10
/** Random bytes are fetched for many ids at once, because a fetch takes longer than everything else. */
const FETCHED = 256 * BYTES

/**
 * Creates ids that sort in the order of their creation. RFC 9562 §6.2, method 1: those of one millisecond are counted.
 * If there are too many, or if the clock goes back, they borrow from the next milliseconds.
 */
export function orderedIds(): (now?: number) => string {
  const fetched = new Uint8Array(FETCHED)
  let used = FETCHED
  let last = 0
  let count = 0
  return (now = Date.now()) => {
    if (now > last) [last, count] = [now, 0]
    else if (count < MOST_COUNTED) count++
    else [last, count] = [last + 1, 0]
    if (used === FETCHED) {
      randomFillSync(fetched)
      used = 0
    }
    const random = fetched.subarray(used, used + BYTES)
    used += BYTES
    random[0] = count >> 4
    random[1] = ((count & 15) << 4) | ((random[1] ?? 0) & 15)
    return uuidV7(last, random)
  }
}

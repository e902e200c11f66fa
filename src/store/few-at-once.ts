import { StoreUnavailable } from './port/store.ts'

/** More than this could fill a disk. */
const MOST = 8

/** Reads a result that stays on disk until its client has read it, unless many are being read. */
export function fewAtOnce(): <T>(result: AsyncIterable<T>) => AsyncIterable<T> {
  let reading = 0
  return async function* few(result) {
    if (reading >= MOST) throw new StoreUnavailable('too many large results are being read', 5)
    reading++
    try {
      yield* result
    } finally {
      reading--
    }
  }
}

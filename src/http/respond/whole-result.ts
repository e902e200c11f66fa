import { setImmediate } from 'node:timers/promises'
import type { WholeResult } from '../../representations/representation.ts'

/** What is written of a whole result. */
export interface WholeLayout {
  readonly whole: WholeResult
  readonly columns: readonly string[]
  /** Whether the columns are those that were asked for, and not all. */
  readonly chosen: boolean
  /** Converts an item's stored text to what is shown, where they differ. */
  readonly present: ((json: string) => string) | undefined
}

const AT_A_TIME = 100

/** One batch is in memory at a time, whatever the size of the result. `first` is already read, to see errors early. */
export async function* writeWhole(
  { whole, columns, chosen, present }: WholeLayout,
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const beginning = whole.beginning(columns)
  const isAsStored = whole.isLines && !chosen && present === undefined
  try {
    if (beginning !== '') yield encoder.encode(beginning)
    for (let next = first; !next.done; next = await rest.next()) {
      if (isAsStored) {
        yield next.value
        continue
      }
      const texts = decoder.decode(next.value).split('\n').slice(0, -1)
      for (let at = 0; at < texts.length; at += AT_A_TIME) {
        // Yield to other requests: a thousand long texts would keep them waiting.
        if (at > 0) await setImmediate()
        const batch = texts.slice(at, at + AT_A_TIME)
        yield encoder.encode(whole.batch(present === undefined ? batch : batch.map(present), columns, chosen))
      }
    }
  } finally {
    await rest.return?.()
  }
}

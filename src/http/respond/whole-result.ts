import { setImmediate } from 'node:timers/promises'
import type { ListShape, WholeResult, Written } from '../../representations/representation.ts'

/** The layout of a whole result. */
export interface WholeLayout {
  readonly whole: WholeResult
  readonly list: ListShape
  /** Shows related things in items, a number at a time, if requested. */
  readonly expand: ItemExpander | undefined
  /** Converts an item's stored text to the shown one, if they differ. */
  readonly present: ((json: string) => string) | undefined
}

export interface ItemExpander {
  readonly atATime: number
  items(texts: readonly string[]): Promise<readonly string[]>
}

const AT_A_TIME = 100

/**
 * One batch is in memory at a time, whatever the size of the result. `first` is already read, so that errors show
 * early.
 */
export async function* writeWhole(
  { whole, list, present, expand }: WholeLayout,
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder()
  const writer = whole.begin(list)
  const isAsStored = whole.isLines && !list.chosen && present === undefined && expand === undefined
  try {
    yield* bytesOf(writer.beginning())
    for (let next = first; !next.done; next = await rest.next()) {
      if (isAsStored) {
        yield next.value
        continue
      }
      const texts = decoder.decode(next.value).split('\n').slice(0, -1)
      for await (const batch of batchesOf(texts, expand)) {
        yield* bytesOf(writer.batch(present === undefined ? batch : batch.map(present)))
      }
    }
    yield* bytesOf(writer.end())
  } finally {
    await rest.return?.()
  }
}

const encoder = new TextEncoder()

function* bytesOf(written: Written): Iterable<Uint8Array> {
  if (written.length > 0) yield typeof written === 'string' ? encoder.encode(written) : written
}

/** Yields to other requests between batches: a thousand long texts would delay them. */
async function* batchesOf(
  texts: readonly string[],
  expand: ItemExpander | undefined,
): AsyncIterable<readonly string[]> {
  const step = expand?.atATime ?? texts.length
  for (let from = 0; from < texts.length; from += step) {
    const read = texts.slice(from, from + step)
    const items = expand === undefined ? read : await expand.items(read)
    for (let at = 0; at < items.length; at += AT_A_TIME) {
      if (from + at > 0) await setImmediate()
      yield items.slice(at, at + AT_A_TIME)
    }
  }
}

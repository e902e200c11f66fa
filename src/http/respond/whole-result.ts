import type { ListShape, WholeResult, Written } from '../../representations/representation.ts'
import { takeTurns } from '../../store/port/take-turns.ts'
import { linesIn } from '../../values/json/texts.ts'

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

/** The things that are written at once, and fewer once their texts are long. */
const [AT_A_TIME, LONGEST] = [100, 2 ** 16]

/**
 * One batch is in memory at a time, whatever the size of the result. `first` is already read, so that errors show
 * early.
 */
export async function* writeWhole(
  { whole, list, present, expand }: WholeLayout,
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const writer = whole.begin(list)
  const isAsStored = whole.isLines && !list.chosen && present === undefined && expand === undefined
  try {
    yield* bytesOf(writer.beginning())
    for (let next = first; !next.done; next = await rest.next()) {
      if (isAsStored) {
        yield next.value
        continue
      }
      for await (const batch of batchesOf(linesIn(next.value), expand)) {
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

/** Yields to other requests between batches. */
async function* batchesOf(texts: Iterable<string>, expand: ItemExpander | undefined): AsyncIterable<readonly string[]> {
  const turn = takeTurns()
  const read = expand === undefined ? [texts] : gathered(texts, expand.atATime, Number.POSITIVE_INFINITY)
  for (const some of read) {
    const items = expand === undefined ? some : await expand.items([...some])
    for (const batch of gathered(items, AT_A_TIME, LONGEST)) {
      await turn()
      yield batch
    }
  }
}

function* gathered(texts: Iterable<string>, most: number, longest: number): Iterable<readonly string[]> {
  let batch: string[] = []
  let length = 0
  for (const text of texts) {
    batch.push(text)
    length += text.length
    if (batch.length < most && length < longest) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

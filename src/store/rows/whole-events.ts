import type { Collection } from '../../queries/collection.ts'
import { resourceOf } from '../../queries/collections.ts'
import { type Query, withScope } from '../../queries/query.ts'
import { type JsonTexts, linesIn, mapTexts, unpacked } from '../../values/json/texts.ts'
import type { StoreReads } from '../desks.ts'
import type { SearchOptions, TextPage } from '../port/desk.ts'
import { mapInTurns, takeTurns } from '../port/take-turns.ts'
import { hasMarked, shownEvent, shownItem } from './shown-document.ts'
import { wholeEvent } from './whole-state.ts'

/** Pages and streams as a driver reads them. */
export interface DriverPages extends Pick<StoreReads, 'unsearchable'> {
  textPage(collection: Collection, query: Query, options?: SearchOptions): Promise<TextPage>
  stream(collection: Collection, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array>
}

/** Whether the items of a collection consist of parts. */
export const isTold = ({ name }: { readonly name: string }): boolean => name === 'events'

/**
 * Pages and streams with items as clients see them: the statements return events in parts, and some documents as they
 * are stored.
 */
export function withWholeEvents(pages: DriverPages): Pick<StoreReads, 'page' | 'textPage' | 'stream' | 'unsearchable'> {
  const textPage: StoreReads['textPage'] = async (collection, scope, query, options) => {
    const page = await pages.textPage(collection, withScope(scope, query), options)
    if (query.groups !== undefined) return page
    if (!isTold(collection)) {
      const show = showIn(collection)
      return show === undefined ? page : { ...page, items: shownTexts(page.items, show) }
    }
    const show = shownEvent(collection.schema)
    return Array.isArray(page.items)
      ? { ...page, items: await mapInTurns(page.items, (text) => show(wholeEvent(text))) }
      : // Packed ones are already whole.
        { ...page, items: mapTexts(page.items, show) }
  }
  return {
    unsearchable: (filter) => pages.unsearchable(filter),
    textPage,
    async page(...asked) {
      const page = await textPage(...asked)
      return { ...page, items: unpacked(page.items) }
    },
    stream(collection, scope, query, options) {
      const lines = pages.stream(collection, withScope(scope, query), options)
      if (!isTold(collection)) {
        const show = showIn(collection)
        return show === undefined ? lines : markedLines(lines, show)
      }
      const show = shownEvent(collection.schema)
      return wholeLines(lines, (text) => show(wholeEvent(text)))
    },
  }
}

function shownTexts(texts: JsonTexts, show: (text: string) => string): JsonTexts {
  if (texts.bytes !== undefined && !hasMarked(texts.bytes)) return texts
  return Array.isArray(texts) ? texts.map(show) : mapTexts(texts, show)
}

function showIn(collection: Collection): ((text: string) => string) | undefined {
  const resource = resourceOf(collection)
  return resource && shownItem(resource)
}

async function* markedLines(batches: AsyncIterable<Uint8Array>, show: (text: string) => string) {
  for await (const batch of batches) {
    if (hasMarked(batch)) yield* changedLines(batch, show)
    else yield batch
  }
}

async function* wholeLines(
  batches: AsyncIterable<Uint8Array>,
  change: (text: string) => string,
): AsyncIterable<Uint8Array> {
  for await (const batch of batches) yield* changedLines(batch, change)
}

/** In pieces, in turns with other requests. */
async function* changedLines(batch: Uint8Array, change: (text: string) => string): AsyncIterable<Uint8Array> {
  const turn = takeTurns()
  let piece = ''
  for (const line of linesIn(batch)) {
    const pause = turn()
    if (pause !== undefined) await pause
    piece += `${change(line)}\n`
    if (piece.length < PIECE) continue
    yield encoder.encode(piece)
    piece = ''
  }
  if (piece !== '') yield encoder.encode(piece)
}

const encoder = new TextEncoder()
/** Characters of a piece. */
const PIECE = 2 ** 18

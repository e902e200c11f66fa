import type { Collection } from '../../queries/collection.ts'
import { type Query, withScope } from '../../queries/query.ts'
import { unpacked } from '../../values/json/texts.ts'
import type { StoreReads } from '../desks.ts'
import type { SearchOptions, TextPage } from '../port/desk.ts'
import { mapInTurns } from '../port/take-turns.ts'
import { wholeState } from './whole-state.ts'

/** Pages and streams as a driver reads them. */
export interface DriverPages extends Pick<StoreReads, 'unsearchable'> {
  textPage(collection: Collection, query: Query, options?: SearchOptions): Promise<TextPage>
  stream(collection: Collection, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array>
}

/** Whether the items of a collection consist of parts. */
export const isTold = ({ name }: { readonly name: string }): boolean => name === 'events'

/** Pages and streams whose events have whole things: the statements return these in parts. */
export function withWholeEvents(pages: DriverPages): Pick<StoreReads, 'page' | 'textPage' | 'stream' | 'unsearchable'> {
  const textPage: StoreReads['textPage'] = async (collection, scope, query, options) => {
    const page = await pages.textPage(collection, withScope(scope, query), options)
    // Packed ones are already whole.
    return isTold(collection) && Array.isArray(page.items)
      ? { ...page, items: await mapInTurns(page.items, wholeState) }
      : page
  }
  return {
    unsearchable: pages.unsearchable,
    textPage,
    async page(...asked) {
      const page = await textPage(...asked)
      return { ...page, items: unpacked(page.items) }
    },
    stream(collection, scope, query, options) {
      const lines = pages.stream(collection, withScope(scope, query), options)
      return isTold(collection) ? wholeLines(lines) : lines
    },
  }
}

async function* wholeLines(batches: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const batch of batches) {
    const lines = new TextDecoder().decode(batch).split('\n')
    yield new TextEncoder().encode((await mapInTurns(lines, wholeState)).join('\n'))
  }
}

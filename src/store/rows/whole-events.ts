import { unpacked } from '../../values/json/texts.ts'
import type { StoreReads } from '../desks.ts'
import { mapInTurns } from '../port/take-turns.ts'
import { wholeState } from './whole-state.ts'

/** Pages and streams as a driver reads them. */
export type DriverPages = Pick<StoreReads, 'textPage' | 'stream' | 'unsearchable'>

/** Whether the items of a collection consist of parts. */
export const isTold = ({ name }: { readonly name: string }): boolean => name === 'events'

/** Pages and streams whose events have whole things: the statements return these in parts. */
export function withWholeEvents(pages: DriverPages): DriverPages & Pick<StoreReads, 'page'> {
  const textPage: StoreReads['textPage'] = async (collection, ...asked) => {
    const page = await pages.textPage(collection, ...asked)
    // Packed ones are already whole.
    return isTold(collection) && Array.isArray(page.items)
      ? { ...page, items: await mapInTurns(page.items, wholeState) }
      : page
  }
  return {
    ...pages,
    textPage,
    async page(...asked) {
      const page = await textPage(...asked)
      return { ...page, items: unpacked(page.items) }
    },
    stream(collection, ...asked) {
      const lines = pages.stream(collection, ...asked)
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

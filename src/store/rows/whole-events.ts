import type { Store } from '../port/store.ts'
import { wholeState } from './whole-state.ts'

type Pages = Pick<Store, 'page' | 'stream'>

/** Pages and streams, their events with whole things: the statements give these in parts. */
export function withWholeEvents<P extends Pages>(pages: P): P {
  return {
    ...pages,
    page(name, scope, query, options) {
      const page = pages.page(name, scope, query, options)
      return name === 'events' ? page.then((told) => ({ ...told, items: told.items.map(wholeState) })) : page
    },
    stream(name, scope, query, options) {
      const lines = pages.stream(name, scope, query, options)
      return name === 'events' ? wholeLines(lines) : lines
    },
  }
}

async function* wholeLines(batches: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const batch of batches) {
    const lines = new TextDecoder().decode(batch).split('\n')
    yield new TextEncoder().encode(lines.map(wholeState).join('\n'))
  }
}

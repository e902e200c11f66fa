import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from '../port/store.ts'
import { wholeState } from './whole-state.ts'

type Pages = Pick<Store, 'page' | 'stream'>

/** Milliseconds after which others have a turn. */
const LONGEST = 8
/** More items take a turn of their own. */
const FEW = 100

/** Whether the items of a collection are told in parts. */
export const isTold = ({ name }: { readonly name: string }): boolean => name === 'events'

/** Pages and streams, their events with whole things: the statements give these in parts. */
export function withWholeEvents<P extends Pages>(pages: P): P {
  return {
    ...pages,
    async page(name, scope, query, options) {
      const page = await pages.page(name, scope, query, options)
      return isTold({ name }) ? { ...page, items: await wholeItems(page.items) } : page
    },
    stream(name, scope, query, options) {
      const lines = pages.stream(name, scope, query, options)
      return isTold({ name }) ? wholeLines(lines) : lines
    },
  }
}

async function* wholeLines(batches: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const batch of batches) {
    const lines = new TextDecoder().decode(batch).split('\n')
    yield new TextEncoder().encode((await wholeItems(lines)).join('\n'))
  }
}

/** Many large events take long: others have their turn meanwhile. */
async function wholeItems(items: readonly string[]): Promise<readonly string[]> {
  const whole: string[] = []
  if (items.length > FEW) await nextTurn()
  let started = performance.now()
  for (const item of items) {
    whole.push(wholeState(item))
    if (performance.now() - started < LONGEST) continue
    await nextTurn()
    started = performance.now()
  }
  return whole
}

import { setImmediate } from 'node:timers/promises'

/** Milliseconds that a request works at most before others have their turn. */
const STEP = 10

/** Called between the steps of long work: lets other requests have their turn where it is time. */
export type Pause = () => Promise<void> | undefined

/** When a while has passed. */
export function takeTurns(): Pause {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < STEP) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}

/** The items of a list, with turns between them. */
export async function* inTurns<T>(items: Iterable<T>, turn: Pause = takeTurns()): AsyncGenerator<T> {
  for (const item of items) {
    await turn()
    yield item
  }
}

/** What becomes of each item, with turns between them: a thousand long texts take a while. */
export async function mapInTurns<T, R>(items: readonly T[], change: (item: T, at: number) => R): Promise<readonly R[]> {
  const turn = takeTurns()
  const changed: R[] = []
  for (const [at, item] of items.entries()) {
    const pause = turn()
    if (pause !== undefined) await pause
    changed.push(change(item, at))
  }
  return changed
}

/** What is made in steps, with turns between them. */
export async function madeInTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  const turn = takeTurns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await turn()
  }
}

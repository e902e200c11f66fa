import { setImmediate } from 'node:timers/promises'

/** The most milliseconds that a request works before others have their turn. */
const STEP = 10

/** Called between the steps of long work: lets other requests have their turn if it is time. */
export type Pause = () => Promise<void> | undefined

/** A pause that takes effect after some time has passed. */
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

/** The number of characters of a long text that are processed at once. */
const SLICE = 2 ** 16

/** A long text in short pieces; no character is cut in two. */
export function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isCut = isHighSurrogate(text.charCodeAt(from + SLICE - 1))
    const to = from + SLICE + (isCut ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** Maps each item, with turns between them: a thousand long texts take a while. */
export async function mapInTurns<T, R>(items: Iterable<T>, change: (item: T, at: number) => R): Promise<readonly R[]> {
  const turn = takeTurns()
  const changed: R[] = []
  for (const item of items) {
    const pause = turn()
    if (pause !== undefined) await pause
    changed.push(change(item, changed.length))
  }
  return changed
}

/** The result of work in steps, with turns between them. */
export async function madeInTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  const turn = takeTurns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await turn()
  }
}

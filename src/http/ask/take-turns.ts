import { setImmediate } from 'node:timers/promises'

/** Milliseconds that a request works at most before others have their turn. */
const STEP = 10

/** Between the steps of long work: lets other requests have their turn when a while has passed. */
export function takeTurns(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < STEP) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}

import type { WorkClock } from '../../../src/work/follow.ts'

/** A clock that goes when it is told to. */
export function heldClock() {
  const timers = new Set<{ readonly at: number; readonly call: () => void }>()
  let now = 0
  const add = (milliseconds: number, call: () => void) => {
    const timer = { at: now + milliseconds, call }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const clock: WorkClock = {
    now: () => now,
    pause: (milliseconds) => new Promise((call) => add(milliseconds, () => call(undefined))),
    after: add,
  }
  return {
    ...clock,
    timers,
    async pass(milliseconds: number): Promise<void> {
      const end = now + milliseconds
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        now = Math.max(now, next.at)
        timers.delete(next)
        next.call()
        await rest()
      }
      now = end
      await rest()
    },
  }
}

/** Whatever was to be done at once is done: nothing here waits for the world, only for its turn. */
export async function rest(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

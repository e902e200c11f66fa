import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start: the first requests are not made to wait. */
const AFTER = 1000

/** Gives back the memory that only the start needed, a tenth of an idle process; V8 would keep it until it is short. */
export function collectStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as NodeJS.GCFunction
    // A waiting tick keeps the shape of ticks: V8 would forget it, and make every later one ten times more slowly.
    process.nextTick(() => {})
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER).unref()
}

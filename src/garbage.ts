import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start: the first requests are not made to wait. */
const AFTER = 1000
/** Microseconds of CPU in that time, a multiple of what an idle thread uses. */
const BUSY = 100_000

/** Gives back the memory that only the start of a process or thread needed; V8 would keep it until it is short. */
export function collectStart(): void {
  const from = process.threadCpuUsage()
  setTimeout(() => {
    // V8 would collect in each later pause, and forget the code that requests made quick. Not before the modules are
    // loaded: cached code is for the flags that it was made with.
    setFlagsFromString('--memory-reducer-gc-count=0')
    const { user, system } = process.threadCpuUsage(from)
    // Requests would wait, and the code that they made quick would be forgotten; V8 collects by itself under load.
    if (user + system > BUSY) return
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as NodeJS.GCFunction
    // A waiting tick keeps the shape of ticks: V8 would forget it, and make every later one ten times more slowly.
    process.nextTick(() => {})
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER).unref()
}

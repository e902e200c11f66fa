import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start: the first requests are not made to wait. */
const AFTER = 1000
/** Microseconds of CPU in that time, a multiple of what an idle thread uses. */
const BUSY = 100_000

/**
 * Tells V8 that a process or thread has started and will serve, and gives back the memory that only the start needed;
 * V8 would keep it until it is short.
 */
export function settleEngine(): void {
  const from = process.threadCpuUsage()
  setTimeout(() => {
    // Not before the modules are loaded: cached code is for the flags that it was made with.
    for (const flag of flags) setFlagsFromString(flag)
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

const flags = [
  // V8 would collect in each later pause, and forget the code that requests made quick.
  '--memory-reducer-gc-count=0',
  // A third of the usual calls: what a page needs is compiled as it stays after thousands of requests, not tens of
  // thousands.
  '--invocation-count-for-turbofan=1000',
]

import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION = 20
const SAMPLE = 250

/** How much the process has to do. */
export interface Load {
  /** Requests that are worked on: counted while an endpoint handles them, not while an answer flows out. */
  inFlight: number
  /** Milliseconds by which the event loop was late, over the last moment. */
  readonly loopDelay: { readonly mean: number; readonly most: number }
  /** More than can be answered in good time: then a quick no is better than a long line. */
  isOver(): boolean
  close(): void
}

interface Bounds {
  readonly maxInFlight: number
  readonly maxLoopDelay: number
}

export function watchLoad({ maxInFlight, maxLoopDelay }: Bounds): Load {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  let loopDelay = { mean: 0, most: 0 }
  const sampling = setInterval(() => {
    // The histogram counts the time between its ticks, and an idle loop ticks on time.
    loopDelay = { mean: lateness(delays.mean), most: lateness(delays.max) }
    delays.reset()
  }, SAMPLE)
  sampling.unref()
  return {
    inFlight: 0,
    get loopDelay() {
      return loopDelay
    },
    isOver() {
      return this.inFlight >= maxInFlight || loopDelay.mean >= maxLoopDelay
    },
    close() {
      clearInterval(sampling)
      delays.disable()
    },
  }
}

const lateness = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - RESOLUTION) : 0

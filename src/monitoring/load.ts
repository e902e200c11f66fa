import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION = 20
const SAMPLE = 250

/** The load of the process. */
export interface Load {
  /** Requests in flight: counted while an endpoint handles them, not while their answer is sent. */
  inFlight: number
  /** Mean delay of the event loop over the last interval, in milliseconds. */
  readonly loopDelay: { readonly mean: number; readonly most: number }
  /** Whether new requests should be refused: a quick 503 is better than a long queue. */
  isOver(): boolean
  close(): void
}

interface LoadLimits {
  readonly maxInFlight: number
  readonly maxLoopDelay: number
}

export function watchLoad({ maxInFlight, maxLoopDelay }: LoadLimits): Load {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  const isLate = judgeLateness(maxLoopDelay)
  let loopDelay = { mean: 0, most: 0 }
  let isLoopOver = false
  const sampling = setInterval(() => {
    // After a reset the first tick only starts the measurement: a loop that is delayed by more than a sample needs the
    // next one too.
    if (delays.count === 0) return
    // The histogram records the time between ticks, so an idle loop records the resolution: subtract it.
    loopDelay = { mean: lateness(delays.mean), most: lateness(delays.max) }
    isLoopOver = isLate(loopDelay.mean, performance.now())
    delays.reset()
  }, SAMPLE)
  sampling.unref()
  return {
    inFlight: 0,
    get loopDelay() {
      return loopDelay
    },
    isOver() {
      return this.inFlight >= maxInFlight || isLoopOver
    },
    close() {
      clearInterval(sampling)
      delays.disable()
    },
  }
}

/** Milliseconds without a delay after which the next delay counts as the first one. */
const CALM = 5000

/**
 * Judges the mean delay of each sample. A single delay is not overload: loading a module at its first use, or writing a
 * document then, blocks the loop once, and no queue builds up.
 */
export function judgeLateness(most: number): (mean: number, now: number) => boolean {
  let last = Number.NEGATIVE_INFINITY
  return (mean, now) => {
    if (mean < most) return false
    // The larger the delay, the rarer the samples.
    const isAgain = now - last < Math.max(CALM, 3 * mean)
    last = now
    return isAgain
  }
}

const lateness = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - RESOLUTION) : 0

/** More than clocks are put back by to stay right. */
const STEP = 2000

/**
 * Says of each reading of a clock, in milliseconds, whether it went back since the one before; of the first it is not
 * known, and so said too. What this process measures between two readings never goes back.
 */
export function clockSteps(): (now: number) => boolean {
  let offset = Number.POSITIVE_INFINITY
  return (now) => {
    const before = offset
    offset = now - performance.now()
    return offset < before - STEP
  }
}

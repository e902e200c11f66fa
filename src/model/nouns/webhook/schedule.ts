const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds from each failure to the next attempt: soon at first, then every six hours for three days. */
export const retryPauses: readonly number[] = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  ...Array.from({ length: 12 }, () => 6 * HOUR),
]

/**
 * The pause after the nth failure, or undefined after the last. `chance`, from 0 to 1, adds up to a tenth,
 * so that deliveries that failed together are not retried together.
 */
export function pauseAfter(failures: number, chance: number, pauses = retryPauses): number | undefined {
  const pause = pauses[failures - 1]
  return pause === undefined ? undefined : Math.round(pause * (1 + chance / 10))
}

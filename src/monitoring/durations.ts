/** Upper bounds in seconds. */
export const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** A histogram of durations in seconds. */
export interface Durations {
  /** One count for each bucket and one beyond the last; not cumulative. */
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
  observe(seconds: number): void
}

/** A class, because every statement is observed. */
class CountedDurations implements Durations {
  readonly counts = new Array<number>(buckets.length + 1).fill(0)
  sum = 0
  count = 0

  observe(seconds: number): void {
    let at = 0
    while (at < buckets.length && seconds > (buckets[at] ?? 0)) at++
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += seconds
    this.count++
  }
}

export const countDurations = (): Durations => new CountedDurations()

/** Upper bounds in seconds. */
export const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Latency histograms of one route, one for each class of status: 2xx, 3xx, 4xx, 5xx, and a separate one for 429. */
export interface Latencies {
  readonly method: string
  readonly route: string
  readonly outcomes: ReadonlyMap<string, Histogram>
  observe(status: number, seconds: number): void
}

export interface Histogram {
  /** One count for each bucket and one beyond the last; not cumulative. */
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

export function measureLatencies(method: string, route: string): Latencies {
  const outcomes = new Map<string, Counting>()
  /** Indexed by the first digit of the status, 429 by 0, so that an observation allocates no text. */
  const quick: (Counting | undefined)[] = []
  const begin = (hundreds: number): Counting => {
    const histogram = { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0, count: 0 }
    quick[hundreds] = histogram
    outcomes.set(hundreds === 0 ? '429' : `${hundreds}xx`, histogram)
    return histogram
  }
  return {
    method,
    route,
    outcomes,
    observe(status, seconds) {
      const hundreds = status === 429 ? 0 : Math.trunc(status / 100)
      const histogram = quick[hundreds] ?? begin(hundreds)
      let at = 0
      while (at < buckets.length && seconds > (buckets[at] ?? 0)) at++
      histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
      histogram.sum += seconds
      histogram.count++
    },
  }
}

interface Counting {
  readonly counts: number[]
  sum: number
  count: number
}

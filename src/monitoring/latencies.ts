import { countDurations, type Durations } from './durations.ts'

/** Latency histograms of one route, one for each class of status: 2xx, 3xx, 4xx, 5xx, and a separate one for 429. */
export interface Latencies {
  readonly method: string
  readonly route: string
  readonly outcomes: ReadonlyMap<string, Durations>
  observe(status: number, seconds: number): void
}

export function measureLatencies(method: string, route: string): Latencies {
  const outcomes = new Map<string, Durations>()
  /** Indexed by the first digit of the status, 429 by 0, so that an observation allocates no text. */
  const quick: (Durations | undefined)[] = []
  const begin = (hundreds: number): Durations => {
    const durations = countDurations()
    quick[hundreds] = durations
    outcomes.set(hundreds === 0 ? '429' : `${hundreds}xx`, durations)
    return durations
  }
  return {
    method,
    route,
    outcomes,
    observe(status, seconds) {
      const hundreds = status === 429 ? 0 : Math.trunc(status / 100)
      const durations = quick[hundreds] ?? begin(hundreds)
      durations.observe(seconds)
    },
  }
}

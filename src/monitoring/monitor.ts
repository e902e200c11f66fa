import { type Latencies, measureLatencies } from './latencies.ts'
import { type Load, watchLoad } from './load.ts'

/** What a running service tells about itself. */
export interface Monitor {
  readonly load: Load
  /** Requests that were turned away, by why. */
  readonly refused: Record<'overload' | 'rate', number>
  readonly latencies: readonly Latencies[]
  /** The measure of one route. */
  readonly measure: (method: string, route: string) => Latencies
}

export function openMonitor(bounds: { readonly maxInFlight: number; readonly maxLoopDelay: number }): Monitor {
  const latencies: Latencies[] = []
  return {
    load: watchLoad(bounds),
    refused: { overload: 0, rate: 0 },
    latencies,
    measure(method, route) {
      const measured = measureLatencies(method, route)
      latencies.push(measured)
      return measured
    },
  }
}

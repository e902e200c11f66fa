import { countBy, type LabelledCounts } from './counts.ts'
import { type HeldAnswers, holdAnswers } from './held-answers.ts'
import { type Latencies, measureLatencies } from './latencies.ts'
import { type Load, watchLoad } from './load.ts'

/** The measurements of a running service. */
export interface Monitor {
  readonly load: Load
  /** The memory that answers hold. */
  readonly answers: HeldAnswers
  /** Refused requests by reason. */
  readonly refused: Record<'overload' | 'rate', number>
  /** Attempts to deliver webhooks by outcome. */
  readonly attempts: Record<'delivered' | 'failed', number>
  /** Performed operations, and refused changes by code. */
  readonly operations: LabelledCounts
  readonly refusals: LabelledCounts
  /** The number of open connections. */
  connections: number
  readonly latencies: readonly Latencies[]
  /** The latencies of one route. */
  readonly measure: (method: string, route: string) => Latencies
}

export function openMonitor(bounds: { readonly maxInFlight: number; readonly maxLoopDelay: number }): Monitor {
  const latencies: Latencies[] = []
  return {
    load: watchLoad(bounds),
    answers: holdAnswers(),
    refused: { overload: 0, rate: 0 },
    attempts: { delivered: 0, failed: 0 },
    operations: countBy('resource', 'operation'),
    refusals: countBy('code'),
    connections: 0,
    latencies,
    measure(method, route) {
      const measured = measureLatencies(method, route)
      latencies.push(measured)
      return measured
    },
  }
}

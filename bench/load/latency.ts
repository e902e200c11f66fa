/** In milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** Nothing where nothing was asked. */
export function latencyOf(milliseconds: readonly number[]): Latency | undefined {
  if (milliseconds.length === 0) return undefined
  const sorted = Float64Array.from(milliseconds).sort()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

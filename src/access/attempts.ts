/** Failed attempts to sign in, by address, in windows of a minute. */
export interface Attempts {
  /** The seconds until an address may try again; undefined if it may now. */
  wait(address: string, now: number): number | undefined
  fail(address: string, now: number): void
}

interface Window {
  readonly until: number
  failures: number
}

const MINUTE = 60_000
const MOST_ADDRESSES = 10_000

export function countAttempts(most: number): Attempts {
  const windows = new Map<string, Window>()
  return {
    wait(address, now) {
      const window = windows.get(address)
      if (window === undefined || window.until <= now || window.failures < most) return undefined
      return Math.ceil((window.until - now) / 1000)
    },
    fail(address, now) {
      const window = windows.get(address)
      if (window !== undefined && window.until > now) {
        window.failures++
        return
      }
      windows.delete(address)
      // Evict the oldest. An attacker with this many addresses is still limited by the queue for hashing.
      if (windows.size >= MOST_ADDRESSES) windows.delete(windows.keys().next().value ?? '')
      windows.set(address, { until: now + MINUTE, failures: 1 })
    },
  }
}

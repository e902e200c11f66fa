import type { RateLimit } from '../../config/setting-texts.ts'

const MOST_CALLERS = 10_000

/** A caller's quota after a request. */
export interface Allowance {
  readonly allowed: boolean
  /** draft-ietf-httpapi-ratelimit-headers: the remaining quota, and the seconds until it is full again. */
  readonly header: string
  /** Seconds until the next request is allowed. */
  readonly retryAfter: number
}

export interface RateLimiter {
  /** The value of RateLimit-Policy. */
  readonly policy: string
  readonly take: (caller: string, now: number) => Allowance
}

/**
 * A quota that refills evenly (GCRA): nobody gets twice as much around the end of a window, and a caller costs one
 * number. The least recent callers are evicted first.
 */
export function limitRate({ quota, seconds }: RateLimit): RateLimiter {
  const window = seconds * 1000
  const each = window / quota
  /** When each caller's quota is full again. */
  const whole = new Map<string, number>()
  return {
    policy: `"default";q=${quota};w=${seconds}`,
    take(caller, now) {
      const from = Math.max(whole.get(caller) ?? 0, now)
      const until = from + each
      // A fraction of a millisecond is a rounding error, not a request too many.
      const allowed = until - now <= window + 0.5
      const kept = allowed ? until : from
      whole.delete(caller)
      if (whole.size >= MOST_CALLERS) whole.delete(whole.keys().next().value ?? '')
      whole.set(caller, kept)
      const left = Math.max(0, Math.floor((window - (kept - now) + 0.5) / each))
      return {
        allowed,
        header: `"default";r=${left};t=${Math.ceil((kept - now) / 1000)}`,
        retryAfter: Math.max(1, Math.ceil((until - now - window) / 1000)),
      }
    },
  }
}

import type { RateLimit } from '../../config.ts'

const MOST_CALLERS = 10_000

/** How a caller stands to the limit after a request. */
export interface Allowance {
  readonly allowed: boolean
  /** draft-ietf-httpapi-ratelimit-headers: what is left, and the seconds until all of it is there again. */
  readonly header: string
  /** Seconds until one more is allowed; of use when this one is not. */
  readonly retryAfter: number
}

export interface RateLimiter {
  /** The value of RateLimit-Policy. */
  readonly policy: string
  readonly take: (caller: string, now: number) => Allowance
}

/**
 * A quota that refills evenly (GCRA): nobody gets twice as much around the turn of a window, and a caller costs one
 * number. The callers heard from longest ago are forgotten first.
 */
export function limitRate({ quota, seconds }: RateLimit): RateLimiter {
  const window = seconds * 1000
  const each = window / quota
  /** When each caller's quota is whole again. */
  const whole = new Map<string, number>()
  return {
    policy: `"default";q=${quota};w=${seconds}`,
    take(caller, now) {
      const from = Math.max(whole.get(caller) ?? 0, now)
      const until = from + each
      // A part of a millisecond is the error of the division, not a request too many.
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

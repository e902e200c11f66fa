import type { ClaimRequest } from './leased-work.ts'

/** Attempts at once (of failing subscriptions together, each of which gets one), and claims: some wait for an attempt. */
export const workLimits = { attempts: 64, attemptsOfOne: 8, attemptsOfFailing: 16, held: 256, heldOfOne: 32 }

/** Claims that wait for their attempt, by subscription. A failing one gets one attempt at a time and delays nobody else. */
export class FairQueue<Claim> {
  /** Claims whose attempt has not ended, and when each was made. */
  readonly held = new Map<Claim, number>()
  /** The number of attempts under way. */
  attempts = 0
  readonly #subscriptionOf: (claim: Claim) => string
  readonly #limits: typeof workLimits
  readonly #waiting = new Map<string, Claim[]>()
  readonly #attempts = new Map<string, number>()
  readonly #failing = new Set<string>()
  #last = ''

  constructor(subscriptionOf: (claim: Claim) => string, limits = workLimits) {
    this.#subscriptionOf = subscriptionOf
    this.#limits = limits
  }

  /** The number of further claims to request. */
  room(): Omit<ClaimRequest, 'lease'> {
    const { held, heldOfOne, attemptsOfFailing } = this.#limits
    const subscriptions = [...this.#failing]
    const heldBy = Map.groupBy(this.held.keys(), this.#subscriptionOf)
    const of: Record<string, number> = {}
    for (const [subscription, { length }] of heldBy) of[subscription] = heldOfOne - length
    for (const subscription of subscriptions) of[subscription] = heldBy.has(subscription) ? 0 : 1
    // Most failing subscriptions have nothing due: only those with claims take up capacity.
    const busy = subscriptions.reduce((sum, each) => sum + this.#attemptsOf(each), 0)
    const together = { subscriptions, most: attemptsOfFailing - busy }
    return { most: held - this.held.size, ofEach: heldOfOne, of, together, behind: this.#last }
  }

  add(claims: readonly Claim[], now: number): void {
    this.#last = ''
    for (const claim of claims) {
      this.held.set(claim, now)
      this.#last = this.#subscriptionOf(claim)
      const queue = this.#waiting.get(this.#last)
      if (queue === undefined) this.#waiting.set(this.#last, [claim])
      else queue.push(claim)
    }
  }

  /** Begins each subscription's next attempt, round robin, while there is capacity; drops claims that would expire. */
  begin(lasts: (claimedAt: number) => boolean): readonly Claim[] {
    const begun: Claim[] = []
    let before: number
    do {
      before = begun.length
      for (const [subscription, queue] of this.#waiting) {
        if (!this.#hasRoom(subscription)) continue
        const next = queue.shift()
        if (queue.length === 0) this.#waiting.delete(subscription)
        if (next === undefined) continue
        if (lasts(this.held.get(next) ?? 0)) {
          begun.push(next)
          this.#count(subscription, 1)
        } else this.held.delete(next)
      }
    } while (begun.length > before)
    return begun
  }

  end(claim: Claim, isSuccess: boolean): void {
    const subscription = this.#subscriptionOf(claim)
    this.held.delete(claim)
    this.#count(subscription, -1)
    if (isSuccess) this.#failing.delete(subscription)
    else this.#failing.add(subscription)
  }

  #hasRoom(subscription: string): boolean {
    const most = this.#failing.has(subscription) ? 1 : this.#limits.attemptsOfOne
    return this.attempts < this.#limits.attempts && this.#attemptsOf(subscription) < most
  }

  #attemptsOf(subscription: string): number {
    return this.#attempts.get(subscription) ?? 0
  }

  #count(subscription: string, change: 1 | -1): void {
    const attempts = this.#attemptsOf(subscription) + change
    this.attempts += change
    if (attempts === 0) this.#attempts.delete(subscription)
    else this.#attempts.set(subscription, attempts)
  }
}

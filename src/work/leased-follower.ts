import { FairQueue } from './fair-queue.ts'
import { follow, type Loop, systemClock, type WorkClock } from './follow.ts'
import type { ClaimRequest, LeasedWork } from './leased-work.ts'

/** The work of a leased follower: everything that is specific to its subject. */
export interface AttemptedWork<Claim, Result> {
  readonly schedule: WorkSchedule
  readonly leases: LeasedWork<Claim, Result>
  /** Settles and claims in one step, so that work that waited for a result follows without another query. */
  claim(request: ClaimRequest, results: readonly Result[]): Promise<{ claims: readonly Claim[]; more: boolean }>
  subscriptionOf(claim: Claim): string
  /** A failure is a result too. */
  attempt(claim: Claim): Promise<Result>
  isSuccess(result: Result): boolean
  /** Ends the attempts under way. */
  abort(): void
  /** Removes some old entries; returns whether there may be more. */
  trim(): Promise<boolean>
  /** Calls when there are new events; returns a function that stops it. */
  onEvents(call: () => void): () => void
  /** Called with the result of each attempt. */
  readonly onResult: (result: Result) => void
  /** Called with errors of the store; the work continues. */
  readonly onFault: (cause: unknown) => void
}

/** In milliseconds. */
export interface WorkSchedule {
  /** The longest duration of an attempt. */
  readonly timeout: number
  /** The length of a lease: longer than any attempt takes. */
  readonly lease: number
  /** The pause between two checks for due work, in addition to those caused by new events. */
  readonly poll: number
  readonly trimEvery: number
}

const LONGEST_CLOSE = 3000

/**
 * Follows the feed: performs the due work that the store leases to this instance, when events arrive and at intervals.
 * It has one query under way at a time; when the store fails, it keeps the results and continues at the next interval.
 */
export class LeasedFollower<Claim, Result> {
  readonly #work: AttemptedWork<Claim, Result>
  readonly #clock: WorkClock
  readonly #queue: FairQueue<Claim>
  readonly #loop: Loop
  #results: Result[] = []
  #isOpen = true
  #renewedAt = Number.NEGATIVE_INFINITY
  #trimmedAt: number

  constructor(work: AttemptedWork<Claim, Result>, clock: WorkClock = systemClock) {
    const { schedule } = work
    this.#work = work
    this.#clock = clock
    this.#queue = new FairQueue(work.subscriptionOf)
    this.#trimmedAt = clock.now()
    this.#loop = follow(
      {
        due: work.onEvents,
        step: () => this.#step(),
        pace: { look: schedule.poll },
        lease: { length: schedule.lease, renew: () => this.#renew(), release: () => this.#release() },
        onFault: work.onFault,
      },
      clock,
    )
  }

  /** Waits briefly for attempts in progress and releases the rest to other instances. */
  async close(): Promise<void> {
    this.#isOpen = false
    const latest = this.#clock.now() + LONGEST_CLOSE
    while (this.#queue.attempts > 0 && this.#clock.now() < latest) await this.#clock.pause(20)
    this.#work.abort()
    await this.#loop.close()
  }

  /** Settles and claims. While it closes, it only settles the results of attempts that end. */
  async #step(): Promise<boolean> {
    const settling = this.#results
    this.#results = []
    let isMore = false
    try {
      const room = this.#queue.room()
      if (this.#isOpen && room.most > 0) isMore = await this.#claim(room, settling)
      else if (settling.length > 0) await this.#work.leases.settle(settling)
    } catch (cause) {
      // Keep the results and settle them later. Until the lease ends nobody repeats them.
      this.#results.push(...settling)
      throw cause
    }
    if (this.#isOpen) await this.#trim()
    return isMore
  }

  async #renew(): Promise<void> {
    if (!this.#isOpen) return
    const now = this.#clock.now()
    await this.#work.leases.renew([...this.#queue.held.keys()], this.#work.schedule.lease)
    this.#renewedAt = now
  }

  /** After this nothing is written any more: an attempt that ends later is repeated by the next claimant. */
  async #release(): Promise<void> {
    await this.#step().catch(this.#work.onFault)
    // Release the rest, so that other instances need not wait for the leases to end.
    await this.#work.leases.release()
  }

  async #claim(room: Omit<ClaimRequest, 'lease'>, settling: readonly Result[]): Promise<boolean> {
    const now = this.#clock.now()
    const { claims, more } = await this.#work.claim({ ...room, lease: this.#work.schedule.lease }, settling)
    this.#queue.add(claims, now)
    this.#begin()
    return more
  }

  #begin(): void {
    if (!this.#isOpen) return
    const { lease, timeout } = this.#work.schedule
    // An attempt that could outlast its lease is left to the next claimant.
    const latest = this.#clock.now() + timeout - lease
    for (const claim of this.#queue.begin((at) => Math.max(at, this.#renewedAt) >= latest)) void this.#attempt(claim)
  }

  async #attempt(claim: Claim): Promise<void> {
    const result = await this.#work.attempt(claim)
    this.#queue.end(claim, this.#work.isSuccess(result))
    this.#results.push(result)
    this.#work.onResult(result)
    this.#begin()
    setImmediate(() => this.#loop.wake())
  }

  async #trim(): Promise<void> {
    const now = this.#clock.now()
    if (now - this.#trimmedAt < this.#work.schedule.trimEvery) return
    if (!(await this.#work.trim())) this.#trimmedAt = now
  }
}

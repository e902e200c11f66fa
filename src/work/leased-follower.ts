import { setTimeout as pause } from 'node:timers/promises'
import type { ClaimRequest, LeasedWork } from '../store/port/leased-work.ts'
import { FairQueue } from './fair-queue.ts'

/** The work of a follower: everything that is specific to its subject. */
export interface FollowedWork<Claim, Result> {
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

/** Monotonic, in milliseconds. */
export interface WorkClock {
  now(): number
  pause(milliseconds: number): Promise<unknown>
  /** Calls at intervals; returns a function that stops it. */
  every(milliseconds: number, call: () => void): () => void
}

/** The number of renewals within the length of a lease. */
const RENEWALS = 6
const LONGEST_CLOSE = 3000

/**
 * Follows the feed: performs the due work that the store leases to this instance, when events arrive and at intervals.
 * It has one query under way at a time; when the store fails, it keeps the results and continues at the next interval.
 */
export class LeasedFollower<Claim, Result> {
  readonly #work: FollowedWork<Claim, Result>
  readonly #clock: WorkClock
  readonly #queue: FairQueue<Claim>
  readonly #wakers: readonly (() => void)[]
  #results: Result[] = []
  /** After the end nothing is written any more: an attempt that ends later is repeated by the next caller. */
  #stage: 'open' | 'closing' | 'over' = 'open'
  #isRunning = false
  #isWanted = false
  #renewedAt = Number.NEGATIVE_INFINITY
  #trimmedAt: number

  constructor(work: FollowedWork<Claim, Result>, clock: WorkClock = systemClock) {
    this.#work = work
    this.#clock = clock
    this.#queue = new FairQueue(work.subscriptionOf)
    this.#trimmedAt = clock.now()
    const wake = () => void this.#run()
    this.#wakers = [work.onEvents(wake), clock.every(work.schedule.poll, wake)]
    wake()
  }

  /** Waits briefly for attempts in progress and releases the rest to other instances. */
  async close(): Promise<void> {
    this.#stage = 'closing'
    for (const stop of this.#wakers) stop()
    const latest = this.#clock.now() + LONGEST_CLOSE
    while (this.#queue.attempts > 0 && this.#clock.now() < latest) await this.#clock.pause(20)
    this.#work.abort()
    while (this.#isRunning) await this.#clock.pause(5)
    await this.#run()
    this.#stage = 'over'
    // Release the rest, so that other instances need not wait for the leases to end.
    await this.#work.leases.release().catch(this.#work.onFault)
  }

  /** One round at a time, and another one if it is requested meanwhile. */
  async #run(): Promise<void> {
    if (this.#stage === 'over') return
    this.#isWanted = true
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        await this.#round()
      }
    } catch (cause) {
      this.#work.onFault(cause)
    } finally {
      this.#isRunning = false
    }
  }

  async #round(): Promise<void> {
    if (this.#stage === 'open') await this.#renew()
    const settling = this.#results
    this.#results = []
    try {
      const room = this.#queue.room()
      if (this.#stage === 'open' && room.most > 0) await this.#claim(room, settling)
      else if (settling.length > 0) await this.#work.leases.settle(settling)
    } catch (cause) {
      // Keep the results and settle them later. Until the lease ends nobody repeats them.
      this.#results.push(...settling)
      throw cause
    }
    if (this.#stage === 'open') await this.#trim()
  }

  async #renew(): Promise<void> {
    const { lease } = this.#work.schedule
    const now = this.#clock.now()
    if (now - this.#renewedAt < lease / RENEWALS) return
    await this.#work.leases.renew([...this.#queue.held.keys()], lease)
    this.#renewedAt = now
  }

  async #claim(room: Omit<ClaimRequest, 'lease'>, settling: readonly Result[]): Promise<void> {
    const now = this.#clock.now()
    const { claims, more } = await this.#work.claim({ ...room, lease: this.#work.schedule.lease }, settling)
    this.#queue.add(claims, now)
    if (more) this.#isWanted = true
    this.#begin()
  }

  #begin(): void {
    if (this.#stage !== 'open') return
    const { lease, timeout } = this.#work.schedule
    // An attempt that could outlast its lease is left to the next caller.
    const latest = this.#clock.now() + timeout - lease
    for (const claim of this.#queue.begin((at) => Math.max(at, this.#renewedAt) >= latest)) void this.#attempt(claim)
  }

  async #attempt(claim: Claim): Promise<void> {
    const result = await this.#work.attempt(claim)
    this.#queue.end(claim, this.#work.isSuccess(result))
    this.#results.push(result)
    this.#work.onResult(result)
    this.#begin()
    setImmediate(() => void this.#run())
  }

  async #trim(): Promise<void> {
    const now = this.#clock.now()
    if (now - this.#trimmedAt < this.#work.schedule.trimEvery) return
    if (!(await this.#work.trim())) this.#trimmedAt = now
  }
}

const systemClock: WorkClock = {
  now: () => performance.now(),
  pause,
  every(milliseconds, call) {
    const timer = setInterval(call, milliseconds)
    timer.unref()
    return () => clearInterval(timer)
  },
}

import { setTimeout as pause } from 'node:timers/promises'

/** Work that is done while requests are answered. */
export interface FollowedWork {
  /** Calls when there may be work before the next look; returns a function that ends this. */
  readonly due?: (wake: () => void) => () => void
  /** Does a bounded piece of it, and less if the loop is closed meanwhile; returns whether there is more to do now. */
  step(closing: AbortSignal): Promise<boolean> | Promise<void>
  readonly pace: Pace
  /** For work of which each piece is done by one instance; the steps claim it. */
  readonly lease?: WorkLease
  /** Called with errors of steps and leases, which are repeated after a pause. */
  readonly onFault: (cause: unknown) => void
}

/** In milliseconds. */
export interface Pace {
  /** Before the first look, which is at once by default. */
  readonly first?: number
  /** Between two looks for work. */
  readonly look: number
  /** Between two steps while there is more; none by default. */
  readonly between?: number
  /** After a failure, and twice as long after each further one, up to that of a look; by default that of a look. */
  readonly retry?: number
}

export interface WorkLease {
  /** In milliseconds. */
  readonly length: number
  renew(): Promise<void>
  /** Gives back what was claimed; called once, after the last step. */
  release(): Promise<void>
}

/** Monotonic, in milliseconds. */
export interface WorkClock {
  now(): number
  pause(milliseconds: number): Promise<unknown>
  /** Calls once, unless the process has nothing else to wait for; returns a function that prevents it. */
  after(milliseconds: number, call: () => void): () => void
}

/** The number of renewals within the length of a lease. */
const RENEWALS = 6

export const follow = (work: FollowedWork, clock: WorkClock = systemClock): Loop => new Loop(work, clock)

/** Looks for work and does it step by step, never two steps at once, until it is closed. */
export class Loop {
  readonly #work: FollowedWork
  readonly #clock: WorkClock
  readonly #endDue: (() => void) | undefined
  readonly #closing = new AbortController()
  #cancelLook = (): void => {}
  #running: Promise<void> | undefined
  #isWanted = false
  #failures = 0
  #renewedAt = Number.NEGATIVE_INFINITY
  #closed: Promise<void> | undefined

  constructor(work: FollowedWork, clock: WorkClock) {
    this.#work = work
    this.#clock = clock
    this.#endDue = work.due?.(() => this.wake())
    if (work.pace.first === undefined) this.wake()
    else this.#lookAfter(work.pace.first)
  }

  /** There may be work now. */
  wake(): void {
    if (this.#closing.signal.aborted) return
    this.#isWanted = true
    this.#running ??= this.#run()
  }

  /** Begins no other step, waits for the one under way, and gives back the lease. */
  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #run(): Promise<void> {
    this.#cancelLook()
    let rest: number
    do {
      this.#isWanted = false
      rest = await this.#step()
    } while (!this.#closing.signal.aborted && (this.#isWanted || rest === 0))
    this.#running = undefined
    if (!this.#closing.signal.aborted) this.#lookAfter(rest)
  }

  /** Returns the pause after it. */
  async #step(): Promise<number> {
    const { look, between = 0, retry = look } = this.#work.pace
    try {
      if (this.#work.lease !== undefined) await this.#renew(this.#work.lease)
      const isMore = await this.#work.step(this.#closing.signal)
      this.#failures = 0
      return isMore ? between : look
    } catch (cause) {
      this.#work.onFault(cause)
      // News that came meanwhile would repeat the failure at once.
      this.#isWanted = false
      return Math.min(look, retry * 2 ** this.#failures++)
    }
  }

  async #renew(lease: WorkLease): Promise<void> {
    const now = this.#clock.now()
    if (now - this.#renewedAt < lease.length / RENEWALS) return
    await lease.renew()
    this.#renewedAt = now
  }

  #lookAfter(milliseconds: number): void {
    this.#cancelLook = this.#clock.after(milliseconds, () => this.wake())
  }

  async #end(): Promise<void> {
    this.#closing.abort()
    this.#cancelLook()
    this.#endDue?.()
    await this.#running
    await this.#work.lease?.release().catch(this.#work.onFault)
  }
}

export const systemClock: WorkClock = {
  now: () => performance.now(),
  pause,
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../../port/store.ts'
import type { Connections } from './connections.ts'
import { GivenUp } from './faults.ts'

/** How long to wait for a reconnect before answering 503. */
const LONGEST_RECOVERY = 3000

/** Returns when the database answers transactions of the kind again; until then the fate of a write is unknown. */
export async function recovered(transaction: Connections['transaction'], cause: StoreUnavailable): Promise<void> {
  const isAlive = () => transaction((connection) => connection.query(ALIVE))
  await untilReached(isAlive).catch(() => {
    throw cause
  })
}

/** Retries a read while the database cannot be reached. */
export async function untilReached<T>(read: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_RECOVERY
  for (;;) {
    try {
      return await by(until, read())
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable) || cause instanceof GivenUp || performance.now() >= until) throw cause
      await pause(50)
    }
  }
}

/** Waits for a silent connection no longer than for a new one. */
async function by<T>(until: number, answer: Promise<T>): Promise<T> {
  const answered = new AbortController()
  const late = async (): Promise<never> => {
    await pause(Math.max(0, until - performance.now()), undefined, { signal: answered.signal })
    throw new StoreUnavailable('the database does not answer', 1)
  }
  try {
    return await Promise.race([answer, late()])
  } finally {
    answered.abort()
  }
}

const ALIVE = { text: 'SELECT 1' }

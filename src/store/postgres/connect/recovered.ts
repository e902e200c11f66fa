import { setTimeout as pause } from 'node:timers/promises'
import { patientTimer } from '../../../values/patient-timer.ts'
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
  // A silent connection is waited for no longer than a new one.
  const late = Promise.withResolvers<never>()
  let isLate = false
  const settled = patientTimer(LONGEST_RECOVERY, () => {
    isLate = true
    late.reject(new StoreUnavailable('the database does not answer', 1))
  })
  try {
    for (;;) {
      try {
        return await Promise.race([read(), late.promise])
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable) || cause instanceof GivenUp || isLate) throw cause
        await pause(50)
      }
    }
  } finally {
    settled()
  }
}

const ALIVE = { text: 'SELECT 1' }

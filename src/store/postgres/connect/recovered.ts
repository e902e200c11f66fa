import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectionLost } from './faults.ts'
import type { Transactions } from './transaction.ts'

/** How long to wait for a reconnect before answering 503. */
const LONGEST_RECOVERY = 3000

/** Returns when the database answers again; until then nobody knows what became of a write. */
export async function recovered(connections: Transactions, cause: ConnectionLost): Promise<void> {
  for (const since = performance.now(); performance.now() - since < LONGEST_RECOVERY; await pause(50)) {
    const answers = await connections.transaction((connection) => connection.query(ALIVE)).catch(() => undefined)
    if (answers !== undefined) return
  }
  throw cause
}

const ALIVE = { text: 'SELECT 1' }

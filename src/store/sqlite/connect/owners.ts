import { randomUUID } from 'node:crypto'
import { isRunning } from '../../running-process.ts'
import type { EndedOwners } from '../../transactions/webhooks/delivery-leases.ts'

/** The owner of claims in a file: a process of this machine, unique even if its process id is reused. */
export const newOwner = (): string => `process ${process.pid} ${randomUUID()}`

// biome-ignore lint/correctness/useYield: PostgreSQL's asks the database.
export const endedOwners: EndedOwners = function* (owners) {
  return owners.filter(hasEnded)
}

/** An owner with our process id is an earlier process. */
function hasEnded(owner: string): boolean {
  const pid = Number(/^process (\d+) /.exec(owner)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return false
  return pid === process.pid || !isRunning(pid)
}

import type { DatabaseSync } from 'node:sqlite'
import type { Held } from '../port/webhook-store.ts'
import { clockSteps } from '../work/clock-steps.ts'

export interface HeldDeliveries {
  renew(held: readonly Held[], lease: number, owner: string): void
  release(owner: string): void
}

export function heldDeliveries(db: DatabaseSync): HeldDeliveries {
  const keep = db.prepare(
    'UPDATE deliveries SET claimed_until = ? WHERE webhook_id = ? AND number = ? AND claimed_by = ?',
  )
  const owners = db.prepare(
    'SELECT DISTINCT claimed_by AS owner FROM deliveries WHERE claimed_by IS NOT NULL AND claimed_by <> ?',
  )
  const giveBack = db.prepare('UPDATE deliveries SET claimed_until = NULL, claimed_by = NULL WHERE claimed_by = ?')
  const ahead = db.prepare(
    `SELECT webhook_id, number, next_try_at, last_try_at FROM deliveries
     WHERE status = 'pending' AND next_try_at > ?1 AND coalesce(last_try_at, created_at) > ?1`,
  )
  const reschedule = db.prepare(
    'UPDATE deliveries SET next_try_at = ?, last_try_at = min(last_try_at, ?) WHERE webhook_id = ? AND number = ?',
  )
  const wentBack = clockSteps()

  /** The wait that was decided is kept, and begins now. */
  const waitFromNow = (now: number): void => {
    const instant = new Date(now).toISOString()
    for (const { webhook_id = '', number = 0, next_try_at, last_try_at } of ahead.all(instant)) {
      const wait = last_try_at === null ? 0 : Date.parse(String(next_try_at)) - Date.parse(String(last_try_at))
      reschedule.run(new Date(now + Math.max(0, wait)).toISOString(), instant, webhook_id, number)
    }
  }

  return {
    renew(held, lease, owner) {
      const now = Date.now()
      const until = new Date(now + lease).toISOString()
      for (const { webhook, number } of held) keep.run(until, webhook, number, owner)
      for (const row of owners.all(owner)) {
        const other = String(row.owner)
        if (hasDied(other)) giveBack.run(other)
      }
      if (wentBack(now)) waitFromNow(now)
    },
    release(owner) {
      giveBack.run(owner)
    },
  }
}

/** Who takes deliveries from a file: a process of this machine, and which of its lives. */
export const ownerName = (life: string): string => `process ${process.pid} ${life}`

/** Nothing is known of those named otherwise: their time runs out. One with our number lived before us. */
function hasDied(owner: string): boolean {
  const pid = Number(/^process (\d+) /.exec(owner)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return false
  return pid === process.pid || !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

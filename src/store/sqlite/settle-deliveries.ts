import type { DatabaseSync } from 'node:sqlite'
import { endedWebhook } from '../../model/webhook/change.ts'
import type { StoredWebhook } from '../../model/webhook/webhook.ts'
import type { DeliveryResult } from '../port/webhook-store.ts'

export interface KnownWebhooks {
  find(id: string): StoredWebhook | undefined
  save(webhook: StoredWebhook): void
}

/** Says what became of deliveries, and makes those due that waited for them. */
export function deliverySettler(
  db: DatabaseSync,
  { find, save }: KnownWebhooks,
): (results: readonly DeliveryResult[], owner: string) => void {
  const settle = db.prepare(
    `UPDATE deliveries SET status = ?, attempts = attempts + 1, failures = failures + ?, next_try_at = ?,
       claimed_until = NULL, claimed_by = NULL, last_try_at = ?, response_status = ?, duration = ?, answer = ?, error = ?,
       finished_at = ?
     WHERE webhook_id = ? AND number = ? AND status = 'pending' AND (claimed_by = ? OR ? = 'delivered')
     RETURNING deal_id`,
  )
  // The next of the deal, if it waits: it waited for this one.
  const release = db.prepare(
    `UPDATE deliveries SET next_try_at = ? WHERE webhook_id = ? AND next_try_at IS NULL AND number = (
       SELECT min(number) FROM deliveries WHERE webhook_id = ? AND deal_id = ? AND status = 'pending')`,
  )
  const cancel = db.prepare(
    `UPDATE deliveries SET status = 'cancelled', next_try_at = NULL, claimed_until = NULL, claimed_by = NULL, finished_at = ?
     WHERE webhook_id = ? AND status = 'pending'`,
  )

  return (results, owner) => {
    const now = Date.now()
    for (const result of results) {
      const { webhook, number, at, status, nextTryIn, responseStatus, duration, answer, error } = result
      const row = settle.get(
        status,
        status === 'pending' || status === 'failed' ? 1 : 0,
        nextTryIn === null ? null : new Date(now + nextTryIn).toISOString(),
        at,
        responseStatus,
        duration,
        answer === null ? null : JSON.stringify(answer),
        error,
        status === 'pending' ? null : at,
        webhook,
        number,
        owner,
        status,
      )
      if (row !== undefined && status !== 'pending') {
        release.run(new Date(now).toISOString(), webhook, webhook, String(row.deal_id))
      }
      if (result.ends === undefined) continue
      const known = find(webhook)
      if (known?.status === 'active') save(endedWebhook(known, result.ends, at))
      cancel.run(at, webhook)
    }
  }
}

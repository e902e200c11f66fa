import type { DatabaseSync } from 'node:sqlite'
import { decideWebhookChange, type WebhookChange } from '../../model/webhook/change.ts'
import { type StoredWebhook, webhookToJson } from '../../model/webhook/webhook.ts'
import { collections } from '../../queries/collections.ts'
import { TRIMMED } from '../port/webhook-limits.ts'
import type { Backlog, DeliveryResult, Taken, TakingOrder, WebhookOutcome } from '../port/webhook-store.ts'
import { webhookColumns as columns, readWebhook, webhookValues } from '../rows/webhook-columns.ts'
import { tableOf } from '../sql/columns.ts'
import { type HeldDeliveries, heldDeliveries } from './held-deliveries.ts'
import { deliverySettler } from './settle-deliveries.ts'
import { type DeliveryTaker, deliveryTaker } from './take-deliveries.ts'

/** What is done to webhooks where it is written; the caller holds the transaction around it. */
export interface WebhookRows {
  find(id: string): StoredWebhook | undefined
  delivery(webhook: string, number: number): string | undefined
  hasWork: DeliveryTaker['hasWork']
  hasPending(): boolean
  add(webhook: StoredWebhook): void
  change(change: WebhookChange): WebhookOutcome
  redeliver(webhook: string, number: number): string | undefined
  take(order: TakingOrder, results: readonly DeliveryResult[], owner: string): Taken
  settle(results: readonly DeliveryResult[], owner: string): void
  renew: HeldDeliveries['renew']
  release: HeldDeliveries['release']
  trim(before: string): boolean
  backlog(): Backlog
}

export function webhookRows(db: DatabaseSync): WebhookRows {
  const item = tableOf(collections.deliveries, 'sqlite').item
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM webhooks WHERE id = ?`)
  const insert = db.prepare(
    `INSERT INTO webhooks (${columns.join(', ')}, doc, cursor)
     VALUES (${columns.map(() => '?').join(', ')}, ?, (SELECT coalesce(max(sequence), 0) FROM events))`,
  )
  const update = db.prepare(
    `UPDATE webhooks SET ${columns.map((column) => `${column} = ?`).join(', ')}, doc = ? WHERE id = ?`,
  )
  const remove = db.prepare('DELETE FROM webhooks WHERE id = ?')
  const bury = db.prepare('INSERT INTO removed_webhooks (id) VALUES (?)')
  const buried = db.prepare('SELECT id FROM removed_webhooks')
  const forget = db.prepare('DELETE FROM removed_webhooks WHERE id = ?')
  const delivery = db.prepare(`SELECT ${item} AS json FROM deliveries WHERE webhook_id = ? AND number = ?`)
  const again = db.prepare(
    `UPDATE deliveries SET status = 'pending', failures = 0, next_try_at = ?, claimed_until = NULL, claimed_by = NULL,
       finished_at = NULL WHERE webhook_id = ? AND number = ?`,
  )
  const trim = db.prepare(
    `DELETE FROM deliveries WHERE (webhook_id, number) IN (
       SELECT webhook_id, number FROM deliveries WHERE finished_at < ? LIMIT ${TRIMMED})`,
  )
  const trimWebhook = db.prepare(
    `DELETE FROM deliveries WHERE webhook_id = ? AND number IN (
       SELECT number FROM deliveries WHERE webhook_id = ? LIMIT ${TRIMMED})`,
  )
  // From the indexes alone, but for those that are next of their deal: no others have failed.
  const backlog = db.prepare(
    `SELECT (SELECT count(*) FROM deliveries WHERE status = 'pending') AS pending,
       (SELECT count(*) FROM deliveries INDEXED BY deliveries_due
         WHERE status = 'pending' AND next_try_at IS NOT NULL AND failures > 0) AS failing`,
  )

  const pending = db.prepare(`SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1`)

  const find = (id: string): StoredWebhook | undefined => {
    const row = select.get(id)
    return row && readWebhook(row)
  }

  const save = (webhook: StoredWebhook): void => {
    update.run(...webhookValues(webhook), webhookToJson(webhook), webhook.id)
  }

  const taker = deliveryTaker(db)
  const settle = deliverySettler(db, { find, save })

  return {
    ...heldDeliveries(db),
    hasWork: taker.hasWork,
    hasPending: () => pending.get() !== undefined,
    settle,
    take(order, results, owner) {
      settle(results, owner)
      return taker.take(order, owner)
    },
    find,
    delivery: (webhook, number) => delivery.get(webhook, number)?.json as string | undefined,
    add(webhook) {
      insert.run(...webhookValues(webhook), webhookToJson(webhook))
    },
    change(change) {
      const now = new Date().toISOString()
      const verdict = decideWebhookChange(change, find(change.id), now)
      if ('refused' in verdict) return { kind: 'refused', refusal: verdict.refused }
      if ('save' in verdict) {
        if (!change.dryRun) save(verdict.save)
        return { kind: 'saved', webhook: verdict.save }
      }
      if (!change.dryRun) {
        remove.run(change.id)
        bury.run(change.id)
      }
      return { kind: 'removed', webhook: verdict.remove }
    },
    redeliver(webhook, number) {
      again.run(new Date().toISOString(), webhook, number)
      return delivery.get(webhook, number)?.json as string | undefined
    },
    trim(before) {
      let removed = Number(trim.run(before).changes)
      for (const row of buried.all()) {
        const id = String(row.id)
        const changes = Number(trimWebhook.run(id, id).changes)
        if (changes < TRIMMED) forget.run(id)
        removed = Math.max(removed, changes)
      }
      return removed >= TRIMMED
    },
    backlog() {
      const row = backlog.get()
      return { pending: Number(row?.pending), failing: Number(row?.failing) }
    },
  }
}

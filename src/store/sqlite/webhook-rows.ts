import type { DatabaseSync } from 'node:sqlite'
import { collections } from '../../queries/collections.ts'
import { decideWebhookChange, endedWebhook, type WebhookChange } from '../../webhooks/change.ts'
import { type StoredWebhook, secretsAt, webhookToJson } from '../../webhooks/webhook.ts'
import { tableOf } from '../columns.ts'
import { webhookColumns as columns, readWebhook, webhookValues } from '../webhook-columns.ts'
import type { Backlog, DeliveryResult, Taken, TakenDelivery, TakingOrder, WebhookOutcome } from '../webhook-store.ts'

/** Events that are looked at in one step, and steps for one webhook at a time. */
const LOOKED_AT = 100
const MOST_LOOKS = 20
/** A receiver that is far behind waits in the feed, not in rows of its own. */
const MOST_PENDING = 10_000
const TRIMMED = 1000

/** What is done to webhooks where it is written; the caller holds the transaction around it. */
export interface WebhookRows {
  find(id: string): StoredWebhook | undefined
  delivery(webhook: string, number: number): string | undefined
  /** Whether there is anything to take. */
  hasWork(now: string): boolean
  add(webhook: StoredWebhook): void
  change(change: WebhookChange): WebhookOutcome
  redeliver(webhook: string, number: number, now: string): string | undefined
  take(order: TakingOrder): Taken
  settle(results: readonly DeliveryResult[]): void
  release(owner: string): void
  trim(before: string): boolean
  backlog(): Backlog
}

export function webhookRows(db: DatabaseSync): WebhookRows {
  const item = tableOf(collections.deliveries, 'sqlite').item
  const event = tableOf(collections.events, 'sqlite').item
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM webhooks WHERE id = ?`)
  const active = db.prepare(
    `SELECT ${columns.join(', ')}, cursor, last_number FROM webhooks WHERE status = 'active' ORDER BY id > ? DESC, id`,
  )
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
  const work = db.prepare(
    `SELECT 1 FROM webhooks w WHERE status = 'active' AND (cursor < (SELECT max(sequence) FROM events) OR EXISTS (
       SELECT 1 FROM deliveries WHERE webhook_id = w.id AND status = 'pending' AND next_try_at <= ?
         AND (claimed_until IS NULL OR claimed_until <= ?))) LIMIT 1`,
  )
  const look = db.prepare(
    `SELECT sequence, deal_id, type FROM events WHERE sequence > ? ORDER BY sequence LIMIT ${LOOKED_AT}`,
  )
  const isWaitedFor = db.prepare(
    `SELECT 1 FROM deliveries WHERE webhook_id = ? AND deal_id = ? AND status = 'pending' LIMIT 1`,
  )
  const pending = db.prepare(
    `SELECT count(*) AS n FROM (SELECT 1 FROM deliveries WHERE webhook_id = ? AND status = 'pending' LIMIT ${MOST_PENDING})`,
  )
  const plan = db.prepare(
    `INSERT INTO deliveries (webhook_id, number, sequence, deal_id, type, status, attempts, failures, next_try_at, created_at)
     VALUES (?, ?, ?, ?, ?, 'pending', 0, 0, ?, ?)`,
  )
  const advance = db.prepare('UPDATE webhooks SET cursor = ?, last_number = ? WHERE id = ?')
  const claim = db.prepare(
    `UPDATE deliveries SET claimed_until = ?, claimed_by = ? WHERE webhook_id = ? AND number IN (
       SELECT number FROM deliveries WHERE webhook_id = ? AND status = 'pending' AND next_try_at <= ?
         AND (claimed_until IS NULL OR claimed_until <= ?) ORDER BY next_try_at, number LIMIT ?)
     RETURNING number, failures, (SELECT ${event} FROM events WHERE events.sequence = deliveries.sequence) AS event`,
  )
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
    `UPDATE deliveries SET status = 'cancelled', next_try_at = NULL, finished_at = ? WHERE webhook_id = ? AND status = 'pending'`,
  )
  const giveBack = db.prepare(
    `UPDATE deliveries SET claimed_until = NULL, claimed_by = NULL WHERE status = 'pending' AND claimed_by = ?`,
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

  const find = (id: string): StoredWebhook | undefined => {
    const row = select.get(id)
    return row && readWebhook(row)
  }

  const save = (webhook: StoredWebhook): void => {
    update.run(...webhookValues(webhook), webhookToJson(webhook), webhook.id)
  }

  /** The next few events as deliveries of a webhook; one whose deal has another before it waits. */
  const planMore = (webhook: StoredWebhook, at: Place, now: string): Place & { readonly done: boolean } => {
    const events = look.all(at.cursor)
    let { number } = at
    const waiting = new Set<string>()
    for (const { sequence = 0, deal_id, type } of events) {
      const deal = String(deal_id)
      if (webhook.types !== null && !webhook.types.includes(String(type))) continue
      const waits = waiting.has(deal) || isWaitedFor.get(webhook.id, deal) !== undefined
      waiting.add(deal)
      plan.run(webhook.id, ++number, sequence, deal, String(type), waits ? null : now, now)
    }
    const cursor = Number(events.at(-1)?.sequence ?? at.cursor)
    if (events.length > 0) advance.run(cursor, number, webhook.id)
    return { cursor, number, done: events.length < LOOKED_AT }
  }

  const takeOf = (webhook: StoredWebhook, start: Place, most: number, { now, until, owner }: TakingOrder): Taken => {
    const deliveries: TakenDelivery[] = []
    const secrets = secretsAt(webhook, now)
    const claimDue = (): void => {
      const room = most - deliveries.length
      for (const row of claim.all(until, owner, webhook.id, webhook.id, now, now, room)) {
        const { number, failures, event: json } = row
        const told = json === null ? null : String(json)
        const taken = { webhook: webhook.id, number: Number(number), failures: Number(failures), event: told }
        deliveries.push({ ...taken, url: webhook.url, secrets })
      }
    }
    claimDue()
    let at = { ...start, done: false }
    for (let looks = 0; deliveries.length < most && !at.done && looks < MOST_LOOKS; looks++) {
      const isFull = Number(pending.get(webhook.id)?.n) >= MOST_PENDING
      at = isFull ? { ...at, done: true } : planMore(webhook, at, now)
      claimDue()
    }
    return { deliveries: deliveries.toSorted((a, b) => a.number - b.number), more: !at.done }
  }

  return {
    find,
    delivery: (webhook, number) => delivery.get(webhook, number)?.json as string | undefined,
    hasWork: (now) => work.get(now, now) !== undefined,
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
    redeliver(webhook, number, now) {
      again.run(now, webhook, number)
      return delivery.get(webhook, number)?.json as string | undefined
    },
    take(order) {
      const deliveries: TakenDelivery[] = []
      let more = false
      for (const row of active.all(order.behind)) {
        const webhook = readWebhook(row)
        const room = Math.min(order.of[webhook.id] ?? order.ofEach, order.most - deliveries.length)
        if (room <= 0) continue
        const start = { cursor: Number(row.cursor), number: Number(row.last_number) }
        const taken = takeOf(webhook, start, room, order)
        deliveries.push(...taken.deliveries)
        more ||= taken.more && taken.deliveries.length < room
      }
      return { deliveries, more }
    },
    settle(results) {
      for (const result of results) {
        const { webhook, number, at, status, nextTryAt, responseStatus, duration, answer, error } = result
        const row = settle.get(
          status,
          status === 'pending' || status === 'failed' ? 1 : 0,
          nextTryAt,
          at,
          responseStatus,
          duration,
          answer === null ? null : JSON.stringify(answer),
          error,
          status === 'pending' ? null : at,
          webhook,
          number,
          result.owner,
          status,
        )
        if (row !== undefined && status !== 'pending') release.run(at, webhook, webhook, String(row.deal_id))
        if (result.ends === undefined) continue
        const known = find(webhook)
        if (known?.status === 'active') save(endedWebhook(known, result.ends, at))
        cancel.run(at, webhook)
      }
    },
    release(owner) {
      giveBack.run(owner)
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

/** How far the feed was made into deliveries, and how many there are. */
interface Place {
  readonly cursor: number
  readonly number: number
}

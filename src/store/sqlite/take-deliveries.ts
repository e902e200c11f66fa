import type { DatabaseSync } from 'node:sqlite'
import { type StoredWebhook, secretsAt } from '../../model/webhook/webhook.ts'
import { collections } from '../../queries/collections.ts'
import { LOOKED_AT, MOST_DEALS, MOST_LOOKS, MOST_PENDING } from '../port/webhook-limits.ts'
import type { Taken, TakenDelivery, TakingOrder } from '../port/webhook-store.ts'
import { webhookColumns as columns, readWebhook } from '../rows/webhook-columns.ts'
import { tableOf } from '../sql/columns.ts'

export interface DeliveryTaker {
  /** Whether there is anything to take. */
  hasWork(): boolean
  take(order: TakingOrder, owner: string): Taken
}

export function deliveryTaker(db: DatabaseSync): DeliveryTaker {
  const event = tableOf(collections.events, 'sqlite').item
  const active = db.prepare(
    `SELECT ${columns.join(', ')}, cursor, last_number FROM webhooks WHERE status = 'active' ORDER BY id > ? DESC, id`,
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
  const full = db.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND status = 'pending'
         AND next_try_at IS NOT NULL LIMIT ${MOST_DEALS})) = ${MOST_DEALS}
       OR (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND status = 'pending'
         LIMIT ${MOST_PENDING})) = ${MOST_PENDING} AS yes`,
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

  const takeOf = (webhook: StoredWebhook, start: Place, most: number, owner: string, span: Span): Taken => {
    const { now, until } = span
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
    const isFull = deliveries.length < most && full.get(webhook.id)?.yes === 1
    let at = { ...start, done: isFull }
    for (let looks = 0; deliveries.length < most && !at.done && looks < MOST_LOOKS; looks++) {
      at = planMore(webhook, at, now)
      claimDue()
    }
    return { deliveries: deliveries.toSorted((a, b) => a.number - b.number), more: !at.done }
  }

  return {
    hasWork() {
      const now = new Date().toISOString()
      return work.get(now, now) !== undefined
    },
    take(order, owner) {
      const now = Date.now()
      const span = { now: new Date(now).toISOString(), until: new Date(now + order.lease).toISOString() }
      const deliveries: TakenDelivery[] = []
      let more = false
      for (const row of active.all(order.behind)) {
        const webhook = readWebhook(row)
        const room = Math.min(order.of[webhook.id] ?? order.ofEach, order.most - deliveries.length)
        if (room <= 0) continue
        const start = { cursor: Number(row.cursor), number: Number(row.last_number) }
        const taken = takeOf(webhook, start, room, owner, span)
        deliveries.push(...taken.deliveries)
        more ||= taken.more && taken.deliveries.length < room
      }
      return { deliveries, more }
    },
  }
}

/** How far the feed was made into deliveries, and how many there are. */
interface Place {
  readonly cursor: number
  readonly number: number
}

/** When deliveries are taken, and until when. */
interface Span {
  readonly now: string
  readonly until: string
}

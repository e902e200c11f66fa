import { collections } from '../../queries/collections.ts'
import { type StoredWebhook, secretsAt } from '../../webhooks/webhook.ts'
import { tableOf } from '../columns.ts'
import { webhookColumns } from '../webhook-columns.ts'
import type { Taken, TakenDelivery, TakingOrder, WebhookStore } from '../webhook-store.ts'
import type { Session } from './connection.ts'
import type { Connections } from './connections.ts'
import { inTransaction } from './transaction.ts'
import { webhookIn } from './webhook-rows.ts'

/** Events that are looked at in one step, and steps for one webhook at a time. */
const LOOKED_AT = 100
const MOST_LOOKS = 20
/** A receiver that is far behind waits in the feed, not in rows of its own. */
const MOST_PENDING = 10_000

/** Instances share the webhooks: one that another is busy with is passed over. */
export function deliveryTaker(connections: Connections): WebhookStore['take'] {
  return async (order) => {
    // Asked first where it costs nothing: most of the time there is nothing to do, and so nothing to lock.
    const work = await connections.read(HAS_WORK, [order.now])
    return work.length === 0 ? nothing : inTransaction(connections, (session) => take(session, order))
  }
}

const nothing: Taken = { deliveries: [], more: false }

async function take(session: Session, order: TakingOrder): Promise<Taken> {
  const deliveries: TakenDelivery[] = []
  let more = false
  for (const row of await session.query(LOCK_WORK, [order.now, order.behind])) {
    const webhook = webhookIn(row)
    const room = Math.min(order.of[webhook.id] ?? order.ofEach, order.most - deliveries.length)
    if (room <= 0) continue
    const taken = await takeOf(session, webhook, room, order)
    deliveries.push(...taken.deliveries)
    more ||= taken.more && taken.deliveries.length < room
  }
  return { deliveries, more }
}

async function takeOf(session: Session, webhook: StoredWebhook, most: number, order: TakingOrder): Promise<Taken> {
  const { now, until, owner } = order
  const deliveries: TakenDelivery[] = []
  const { id, url } = webhook
  const secrets = secretsAt(webhook, now)
  const claimDue = async (): Promise<void> => {
    const room = most - deliveries.length
    for (const [number, failures, json] of await session.query(CLAIM, [id, now, until, owner, room])) {
      const event = json === null ? null : String(json)
      deliveries.push({ webhook: id, number: Number(number), failures: Number(failures), event, url, secrets })
    }
  }
  await claimDue()
  let more = true
  for (let looks = 0; deliveries.length < most && more && looks < MOST_LOOKS; looks++) {
    const [[looked] = []] = await session.query(PLAN, [id, webhook.types, now])
    more = Number(looked) === LOOKED_AT
    await claimDue()
  }
  return { deliveries: deliveries.toSorted((a, b) => a.number - b.number), more }
}

const hasWork = `status = 'active' AND (
  cursor < (SELECT sequence FROM feed ORDER BY sequence DESC LIMIT 1) OR EXISTS (
    SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND deliveries.status = 'pending' AND next_try_at <= $1
      AND (claimed_until IS NULL OR claimed_until <= $1)))`

const HAS_WORK = { name: 'webhooks-work', text: `SELECT 1 FROM webhooks WHERE ${hasWork} LIMIT 1` }

const LOCK_WORK = {
  name: 'lock-work',
  text: `SELECT ${webhookColumns.join(', ')} FROM webhooks WHERE ${hasWork}
    ORDER BY id > $2 DESC, id FOR UPDATE SKIP LOCKED`,
}

/**
 * The next few events as deliveries of a webhook; one whose deal has another before it waits.
 * Answers with how many events were looked at: none while too many deliveries are pending.
 */
const PLAN = {
  name: 'plan-deliveries',
  text: `WITH webhook AS (SELECT cursor, last_number FROM webhooks WHERE id = $1),
    looked AS (
      SELECT sequence, deal_id, type FROM feed
      WHERE sequence > (SELECT cursor FROM webhook) AND ${MOST_PENDING} > (SELECT count(*) FROM (
        SELECT 1 FROM deliveries WHERE webhook_id = $1 AND status = 'pending' LIMIT ${MOST_PENDING}) AS pending)
      ORDER BY sequence LIMIT ${LOOKED_AT}
    ),
    wanted AS (
      SELECT sequence, deal_id, type, row_number() OVER (ORDER BY sequence) AS nth,
        row_number() OVER (PARTITION BY deal_id ORDER BY sequence) AS nth_of_deal
      FROM looked WHERE $2::text[] IS NULL OR type = ANY ($2::text[])
    ),
    planned AS (
      INSERT INTO deliveries
        (webhook_id, number, sequence, deal_id, type, status, attempts, failures, next_try_at, created_at)
      SELECT $1, last_number + nth, sequence, deal_id, type, 'pending', 0, 0,
        CASE WHEN nth_of_deal = 1 AND NOT EXISTS (
          SELECT 1 FROM deliveries earlier
          WHERE webhook_id = $1 AND earlier.deal_id = wanted.deal_id AND earlier.status = 'pending') THEN $3::text END, $3::text
      FROM wanted CROSS JOIN webhook
    ),
    advanced AS (
      UPDATE webhooks SET cursor = (SELECT max(sequence) FROM looked), last_number = last_number + (SELECT count(*) FROM wanted)
      WHERE id = $1 AND EXISTS (SELECT 1 FROM looked)
    )
    SELECT count(*) FROM looked`,
}

const event = tableOf(collections.events, 'postgres').item

const CLAIM = {
  name: 'claim-deliveries',
  text: `WITH due AS (
      SELECT number FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND next_try_at <= $2
        AND (claimed_until IS NULL OR claimed_until <= $2)
      ORDER BY next_try_at, number LIMIT $5 FOR UPDATE SKIP LOCKED)
    UPDATE deliveries SET claimed_until = $3, claimed_by = $4 FROM due
    WHERE webhook_id = $1 AND deliveries.number = due.number
    RETURNING deliveries.number, failures,
      (SELECT ${event} FROM events WHERE events.sequence = deliveries.sequence)`,
}

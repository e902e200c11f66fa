import { type StoredWebhook, secretsAt } from '../../model/webhook/webhook.ts'
import { collections } from '../../queries/collections.ts'
import { LOOKED_AT, MOST_DEALS, MOST_LOOKS, MOST_PENDING } from '../port/webhook-limits.ts'
import type { Taken, TakenDelivery, TakingOrder, WebhookStore } from '../port/webhook-store.ts'
import { webhookColumns } from '../rows/webhook-columns.ts'
import { tableOf } from '../sql/columns.ts'
import { inMilliseconds, NOW } from './clock.ts'
import type { Session, Values } from './connection.ts'
import type { Connections } from './connections.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { inTransaction } from './transaction.ts'
import { webhookIn } from './webhook-rows.ts'

/** Instances share the webhooks: one that another is busy with is passed over. */
export function deliveryTaker(connections: Connections): WebhookStore['take'] {
  const { owner } = connections
  return async (order, results) => {
    // Asked first where it costs nothing: most of the time there is nothing to do, and so nothing to lock.
    if (results.length === 0 && (await connections.read(HAS_WORK, [])).length === 0) return nothing
    return inTransaction(connections, async (session) => {
      await settleDeliveries(session, results, owner)
      return take(session, order, owner)
    })
  }
}

const nothing: Taken = { deliveries: [], more: false }

async function take(session: Session, order: TakingOrder, owner: string): Promise<Taken> {
  const deliveries: TakenDelivery[] = []
  let more = false
  for (const row of await session.query(LOCK_WORK, [order.behind])) {
    const webhook = webhookIn(row)
    const hasNews = row[webhookColumns.length] === true
    const room = Math.min(order.of[webhook.id] ?? order.ofEach, order.most - deliveries.length)
    if (room <= 0) continue
    const taken = await takeOf(session, webhook, hasNews, (most) => [webhook.id, order.lease, owner, most], room)
    deliveries.push(...taken.deliveries)
    more ||= taken.more && taken.deliveries.length < room
  }
  return { deliveries, more }
}

/** `hasNews`: whether the feed has events that were not looked at. */
async function takeOf(
  session: Session,
  webhook: StoredWebhook,
  hasNews: boolean,
  claimed: (most: number) => Values,
  most: number,
): Promise<Taken> {
  const deliveries: TakenDelivery[] = []
  const { id, url } = webhook
  const secrets = secretsAt(webhook, new Date().toISOString())
  const claimDue = async (): Promise<void> => {
    for (const [number, failures, json] of await session.query(CLAIM, claimed(most - deliveries.length))) {
      const event = json === null ? null : String(json)
      deliveries.push({ webhook: id, number: Number(number), failures: Number(failures), event, url, secrets })
    }
  }
  await claimDue()
  let more = hasNews && deliveries.length < most && (await session.query(FULL, [id])).length === 0
  for (let looks = 0; deliveries.length < most && more && looks < MOST_LOOKS; looks++) {
    const [[looked] = []] = await session.query(PLAN, [id, webhook.types])
    more = Number(looked) === LOOKED_AT
    await claimDue()
  }
  return { deliveries: deliveries.toSorted((a, b) => a.number - b.number), more }
}

const hasNews = 'cursor < (SELECT sequence FROM feed ORDER BY sequence DESC LIMIT 1)'

const hasWork = `status = 'active' AND (${hasNews} OR EXISTS (
    SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND deliveries.status = 'pending' AND next_try_at <= ${NOW}
      AND (claimed_until IS NULL OR claimed_until <= ${NOW})))`

const HAS_WORK = { name: 'webhooks-work', text: `SELECT 1 FROM webhooks WHERE ${hasWork} LIMIT 1` }

const LOCK_WORK = {
  name: 'lock-work',
  text: `SELECT ${webhookColumns.join(', ')}, ${hasNews} FROM webhooks WHERE ${hasWork}
    ORDER BY id > $1 DESC, id FOR UPDATE SKIP LOCKED`,
}

/** Answers with a row while too much is pending. */
const FULL = {
  name: 'webhook-full',
  text: `SELECT 1 WHERE ${MOST_DEALS} = (SELECT count(*) FROM (SELECT 1 FROM deliveries
      WHERE webhook_id = $1 AND status = 'pending' AND next_try_at IS NOT NULL LIMIT ${MOST_DEALS}) AS deals)
    OR ${MOST_PENDING} = (SELECT count(*) FROM (SELECT 1 FROM deliveries
      WHERE webhook_id = $1 AND status = 'pending' LIMIT ${MOST_PENDING}) AS pending)`,
}

/**
 * The next few events as deliveries of a webhook; one whose deal has another before it waits.
 * Answers with how many events were looked at.
 */
const PLAN = {
  name: 'plan-deliveries',
  text: `WITH webhook AS (SELECT cursor, last_number FROM webhooks WHERE id = $1),
    looked AS (
      SELECT sequence, deal_id, type FROM feed
      WHERE sequence > (SELECT cursor FROM webhook) ORDER BY sequence LIMIT ${LOOKED_AT}
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
          WHERE webhook_id = $1 AND earlier.deal_id = wanted.deal_id AND earlier.status = 'pending') THEN ${NOW} END, ${NOW}
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
      SELECT deliveries.ctid FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND next_try_at <= ${NOW}
        AND (claimed_until IS NULL OR claimed_until <= ${NOW})
      ORDER BY next_try_at, number LIMIT $4 FOR UPDATE SKIP LOCKED)
    UPDATE deliveries SET claimed_until = ${inMilliseconds('$2::bigint')}, claimed_by = $3
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM due))
    RETURNING deliveries.number, failures,
      (SELECT ${event} FROM events WHERE events.sequence = deliveries.sequence)`,
}

import { decideWebhookChange, type WebhookChange } from '../../model/webhook/change.ts'
import { collections } from '../../queries/collections.ts'
import { SEQUENCE_DIGITS } from '../../values/sequence.ts'
import { TRIMMED } from '../port/webhook-limits.ts'
import type { WebhookOutcome, WebhookStore } from '../port/webhook-store.ts'
import { webhookColumns } from '../rows/webhook-columns.ts'
import { tableOf } from '../sql/columns.ts'
import { NOW } from './clock.ts'
import type { Row, Session } from './connection.ts'
import type { Connections } from './connections.ts'
import { deliveryHolder } from './held-deliveries.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { deliveryTaker } from './take-deliveries.ts'
import { inTransaction } from './transaction.ts'
import { lockWebhook, rowOfWebhook, updateWebhook, webhookIn } from './webhook-rows.ts'

export function postgresWebhooks(connections: Connections): WebhookStore {
  const { read, write } = connections
  return {
    async add(webhook) {
      await write(webhook.id, INSERT, rowOfWebhook(webhook))
    },
    async find(id) {
      const [row] = await read(FIND, [id])
      return row && webhookIn(row)
    },
    change: (change) => inTransaction(connections, (session) => changeWebhook(session, change)),
    delivery: async (webhook, number) => textIn(await read(DELIVERY, [webhook, number])),
    redeliver: async (webhook, number) => textIn(await write(webhook, AGAIN, [webhook, number])),
    take: deliveryTaker(connections),
    settle: (results) => inTransaction(connections, (session) => settleDeliveries(session, results, connections.owner)),
    ...deliveryHolder(connections),
    trim: (before) => inTransaction(connections, (session) => trim(session, before)),
    async backlog() {
      const [[pending, failing] = []] = await read(BACKLOG, [])
      return { pending: Number(pending), failing: Number(failing) }
    },
  }
}

async function changeWebhook(session: Session, change: WebhookChange): Promise<WebhookOutcome> {
  const known = await lockWebhook(session, change.id)
  const verdict = decideWebhookChange(change, known, new Date().toISOString())
  if ('refused' in verdict) return { kind: 'refused', refusal: verdict.refused }
  if ('save' in verdict) {
    if (!change.dryRun) await updateWebhook(session, verdict.save)
    return { kind: 'saved', webhook: verdict.save }
  }
  if (!change.dryRun) {
    await session.query(DELETE, [change.id])
    await session.query(BURY, [change.id])
  }
  return { kind: 'removed', webhook: verdict.remove }
}

async function trim({ query }: Session, before: string): Promise<boolean> {
  let removed = (await query(TRIM, [before])).length
  for (const [id] of await query(BURIED)) {
    const { length } = await query(TRIM_WEBHOOK, [id])
    if (length < TRIMMED) await query(FORGET, [id])
    removed = Math.max(removed, length)
  }
  return removed >= TRIMMED
}

const textIn = ([row]: readonly Row[]): string | undefined => (row === undefined ? undefined : String(row[0]))

const item = tableOf(collections.deliveries, 'postgres').item

/** From what can be read now on: an event that was committed a moment before and is still held back is heard too. */
const INSERT = {
  name: 'add-webhook',
  text: `INSERT INTO webhooks (${webhookColumns.join(', ')}, doc, cursor)
    VALUES (${[...webhookColumns, 'doc'].map((_, at) => `$${at + 1}`).join(', ')},
      coalesce((SELECT sequence FROM feed ORDER BY sequence DESC LIMIT 1), repeat('0', ${SEQUENCE_DIGITS.postgres})))`,
}
const FIND = { name: 'webhook', text: `SELECT ${webhookColumns.join(', ')} FROM webhooks WHERE id = $1` }
const DELETE = { name: 'remove-webhook', text: 'DELETE FROM webhooks WHERE id = $1' }
const BURY = { name: 'bury-webhook', text: 'INSERT INTO removed_webhooks (id) VALUES ($1)' }
const DELIVERY = { name: 'delivery', text: `SELECT ${item} FROM deliveries WHERE webhook_id = $1 AND number = $2` }
const AGAIN = {
  name: 'deliver-again',
  text: `UPDATE deliveries SET status = 'pending', failures = 0, next_try_at = ${NOW}, claimed_until = NULL,
    claimed_by = NULL, finished_at = NULL WHERE webhook_id = $1 AND number = $2 RETURNING ${item}`,
}
const TRIM = {
  name: 'trim-deliveries',
  text: `WITH old AS (
      SELECT webhook_id, number FROM deliveries WHERE finished_at < $1 LIMIT ${TRIMMED} FOR UPDATE SKIP LOCKED)
    DELETE FROM deliveries USING old
    WHERE deliveries.webhook_id = old.webhook_id AND deliveries.number = old.number RETURNING 1`,
}
// One instance at a time: what another removes is not yet gone.
const BURIED = { name: 'buried-webhooks', text: 'SELECT id FROM removed_webhooks ORDER BY id FOR UPDATE SKIP LOCKED' }
const TRIM_WEBHOOK = {
  name: 'trim-webhook',
  text: `WITH old AS (SELECT number FROM deliveries WHERE webhook_id = $1 LIMIT ${TRIMMED} FOR UPDATE)
    DELETE FROM deliveries USING old WHERE webhook_id = $1 AND deliveries.number = old.number RETURNING 1`,
}
const FORGET = { name: 'forget-webhook', text: 'DELETE FROM removed_webhooks WHERE id = $1' }
const BACKLOG = {
  name: 'backlog',
  text: `SELECT count(*), count(*) FILTER (WHERE failures > 0) FROM deliveries WHERE status = 'pending'`,
}

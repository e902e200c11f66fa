import { type StoredWebhook, webhookToJson } from '../../model/webhook/webhook.ts'
import { readWebhook, webhookColumns, webhookValues } from '../rows/webhook-columns.ts'
import type { Row, Session } from './connection.ts'

/** The webhook, and nobody else's until the transaction ends: its deliveries are made and settled by one at a time. */
export async function lockWebhook({ query }: Session, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await query(LOCK, [[id]])
  return row && webhookIn(row)
}

/** Several of them, in one order, so that nobody waits for somebody who waits for him. */
export const lockWebhooks = ({ query }: Session, ids: Iterable<string>): Promise<unknown> =>
  query(LOCK, [[...new Set(ids)]])

export const webhookIn = (row: Row): StoredWebhook =>
  readWebhook(Object.fromEntries(webhookColumns.map((column, at) => [column, row[at]])))

export const rowOfWebhook = (webhook: StoredWebhook): Row => [...webhookValues(webhook), webhookToJson(webhook)]

export const updateWebhook = ({ query }: Session, webhook: StoredWebhook): Promise<unknown> =>
  query(UPDATE, rowOfWebhook(webhook))

const LOCK = {
  name: 'lock-webhooks',
  text: `SELECT ${webhookColumns.join(', ')} FROM webhooks WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`,
}

const UPDATE = {
  name: 'update-webhook',
  text: `UPDATE webhooks SET ${[...webhookColumns, 'doc']
    .map((column, at) => `${column} = $${at + 1}`)
    .slice(1)
    .join(', ')} WHERE id = $1`,
}

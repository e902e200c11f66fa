import { endedWebhook } from '../../webhooks/change.ts'
import type { DeliveryResult } from '../webhook-store.ts'
import { inMilliseconds, NOW } from './clock.ts'
import type { Row, Session } from './connection.ts'
import { lockWebhook, lockWebhooks, updateWebhook } from './webhook-rows.ts'

/** Says what became of deliveries, and makes those due that waited for them. */
export async function settleDeliveries(
  session: Session,
  results: readonly DeliveryResult[],
  owner: string,
): Promise<void> {
  if (results.length === 0) return
  const webhooks = results.map(({ webhook }) => webhook)
  // Under the lock nobody makes a delivery that waits for one of these.
  const [, finished] = await Promise.all([
    lockWebhooks(session, webhooks),
    session.query(SETTLE, [...columnsOf(results.map(valuesOf)), owner]),
  ])
  if (finished.length > 0) await session.query(RELEASE, columnsOf(finished))
  for (const { webhook, at, ends } of results) {
    if (ends === undefined) continue
    const known = await lockWebhook(session, webhook)
    if (known?.status === 'active') await updateWebhook(session, endedWebhook(known, ends, at))
    await session.query(CANCEL, [webhook, at])
  }
}

const valuesOf = (result: DeliveryResult): Row => [
  result.webhook,
  result.number,
  result.at,
  result.status,
  result.nextTryIn,
  result.responseStatus,
  result.duration,
  result.answer === null ? null : JSON.stringify(result.answer),
  result.error,
]

/** Rows as one array for each column. */
const columnsOf = (rows: readonly Row[]): readonly Row[] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))

/** Answers with the deals of those that are finished. */
const SETTLE = {
  name: 'settle-deliveries',
  text: `WITH settled AS (
      UPDATE deliveries SET status = result.status, attempts = attempts + 1,
        failures = failures + CASE WHEN result.status IN ('pending', 'failed') THEN 1 ELSE 0 END,
        next_try_at = ${inMilliseconds('result.next_try_in')}, claimed_until = NULL, claimed_by = NULL, last_try_at = result.at,
        response_status = result.response_status, duration = result.duration, answer = result.answer,
        error = result.error, finished_at = CASE WHEN result.status <> 'pending' THEN result.at END
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
        $9::text[]) AS result
        (webhook, number, at, status, next_try_in, response_status, duration, answer, error)
      WHERE webhook_id = webhook AND deliveries.number = result.number AND deliveries.status = 'pending'
        AND (claimed_by = $10 OR result.status = 'delivered')
      RETURNING webhook_id, deal_id, result.status
    )
    SELECT DISTINCT webhook_id, deal_id FROM settled WHERE status <> 'pending'`,
}

/** The next of the deal, if it waits: it waited for this one. */
const RELEASE = {
  name: 'release-deliveries',
  text: `UPDATE deliveries SET next_try_at = ${NOW} FROM unnest($1::text[], $2::text[]) AS finished (webhook, deal)
    WHERE webhook_id = webhook AND next_try_at IS NULL AND number = (
      SELECT min(number) FROM deliveries AS pending
      WHERE pending.webhook_id = webhook AND pending.deal_id = deal AND pending.status = 'pending')`,
}

const CANCEL = {
  name: 'cancel-deliveries',
  text: `UPDATE deliveries SET status = 'cancelled', next_try_at = NULL, claimed_until = NULL, claimed_by = NULL,
      finished_at = $2
    WHERE webhook_id = $1 AND status = 'pending'`,
}

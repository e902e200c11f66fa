import { endedWebhook } from '../../model/webhook/change.ts'
import type { DeliveryResult } from '../port/webhook-store.ts'
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
  // Under the lock nobody makes a delivery that waits for one of these. Statements follow without waiting, each by the
  // table's key: one for all of them is planned as if it were for most of the table while that is young.
  const [, ...settled] = await Promise.all([
    lockWebhooks(session, webhooks),
    ...results.map((result) => session.query(SETTLE, [...valuesOf(result), owner])),
  ])
  const finished = settled.flatMap((rows, at) => (results[at]?.status === 'pending' ? [] : rows))
  await Promise.all(finished.map((row) => session.query(RELEASE, row)))
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

/** Answers with its webhook and its deal, where it was ours to settle. */
const SETTLE = {
  name: 'settle-delivery',
  text: `UPDATE deliveries SET status = $4::text, attempts = attempts + 1,
      failures = failures + CASE WHEN $4::text IN ('pending', 'failed') THEN 1 ELSE 0 END,
      next_try_at = ${inMilliseconds('$5::bigint')}, claimed_until = NULL, claimed_by = NULL, last_try_at = $3::text,
      response_status = $6, duration = $7, answer = $8, error = $9,
      finished_at = CASE WHEN $4::text <> 'pending' THEN $3::text END
    WHERE webhook_id = $1 AND number = $2 AND status = 'pending' AND (claimed_by = $10 OR $4::text = 'delivered')
    RETURNING webhook_id, deal_id`,
}

/** The next of the deal, if it waits: it waited for this one. */
const RELEASE = {
  name: 'release-delivery',
  text: `UPDATE deliveries SET next_try_at = ${NOW} WHERE webhook_id = $1 AND next_try_at IS NULL AND number = (
    SELECT min(number) FROM deliveries WHERE webhook_id = $1 AND deal_id = $2 AND status = 'pending')`,
}

const CANCEL = {
  name: 'cancel-deliveries',
  text: `UPDATE deliveries SET status = 'cancelled', next_try_at = NULL, claimed_until = NULL, claimed_by = NULL,
      finished_at = $2
    WHERE webhook_id = $1 AND status = 'pending'`,
}

import { endedWebhook } from '../../../model/nouns/webhook/operations.ts'
import type { DeliveryResult } from '../../port/webhook-store.ts'
import { tryDocument } from '../../rows/audited/delivery.ts'
import { webhookRows } from '../../rows/audited/webhook.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Values } from '../../sql/statement.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { webhookStatements } from './webhooks.ts'

export type SettleDeliveries = (results: readonly DeliveryResult[], owner: string) => Work<void>

/** Settles deliveries, and makes those due that waited for them. */
export function settleDeliveries(dialect: SqlDialect): SettleDeliveries {
  const { LOCK, UPDATE } = webhookStatements(dialect)
  const { SETTLE, RELEASE, CANCEL, WORKS, FAILS } = statements(dialect)

  return function* settle(results, owner) {
    if (results.length === 0) return
    const ids = [...new Set(results.map(({ webhook }) => webhook))]
    // Under the lock nobody creates a delivery that waits for one of these. Each is settled by the table's key: one
    // statement for all would be planned for most of the table while that is small.
    const [locked = [], ...settled] = yield* askAll([
      bind(LOCK, ids),
      ...results.map((result) => bind(SETTLE, ...valuesOf(result), owner)),
    ])
    const finished = settled.flatMap((rows, at) => (results[at]?.status === 'pending' ? [] : rows))
    yield* askAll(finished.map((row) => bind(RELEASE, ...row)))
    yield* askAll(
      lastAnswers(results).map(({ webhook, at, status, error }) =>
        status === 'delivered' ? bind(WORKS, webhook, at) : bind(FAILS, webhook, at, error),
      ),
    )
    const webhooks = new Map(locked.map(webhookRows.read).map((webhook) => [webhook.id, webhook]))
    for (const { webhook: id, at, ends } of results) {
      if (ends === undefined) continue
      const webhook = webhooks.get(id)
      if (webhook?.status === 'active') {
        const ended = endedWebhook(webhook, ends, at)
        webhooks.set(id, ended)
        yield* ask(UPDATE, ...webhookRows.values(ended))
      }
      yield* ask(CANCEL, id, at)
    }
  }
}

/** The last attempt of each called receiver. */
const lastAnswers = (results: readonly DeliveryResult[]): readonly DeliveryResult[] => [
  ...new Map(results.flatMap((each) => (each.status === 'cancelled' ? [] : [[each.webhook, each]]))).values(),
]

const valuesOf = (result: DeliveryResult): Values => [
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

/** More than the schedule has; repeated redeliveries begin again. */
const MOST_TRIES = 20

const statements = (dialect: SqlDialect) =>
  statementsIn(dialect, 'deliveries', {
    // Returns its webhook and its deal, if it was ours to settle.
    SETTLE: `UPDATE deliveries SET status = CAST(?4 AS text), attempts = attempts + 1,
        failures = failures + CASE WHEN CAST(?4 AS text) IN ('pending', 'failed') THEN 1 ELSE 0 END,
        next_try_at = ${dialect.fromNow('?5')}, claimed_until = NULL, claimed_by = NULL, last_try_at = CAST(?3 AS text),
        response_status = ?6, duration = ?7, answer = ?8, error = ?9,
        finished_at = CASE WHEN CAST(?4 AS text) <> 'pending' THEN CAST(?3 AS text) END,
        tries = CASE WHEN attempts = 0 THEN NULL WHEN attempts % ${MOST_TRIES} = 0 THEN ${tryDocument.sql}
          ELSE coalesce(tries || ',', '') || ${tryDocument.sql} END
      WHERE webhook_id = ?1 AND number = ?2 AND status = 'pending'
        AND (claimed_by = ?10 OR CAST(?4 AS text) = 'delivered')
      RETURNING webhook_id, subject`,
    // The next of the deal, if it waited for this one.
    RELEASE: `UPDATE deliveries SET next_try_at = ${dialect.now} WHERE webhook_id = ?1 AND next_try_at IS NULL
      AND number = (SELECT min(number) FROM deliveries WHERE webhook_id = ?1 AND subject = ?2 AND status = 'pending')`,
    // Written if it changes something, and once a minute.
    WORKS: `UPDATE webhooks SET failing_since = NULL, last_error = NULL, delivered_at = CAST(?2 AS text) WHERE id = ?1
      AND (failing_since IS NOT NULL OR delivered_at IS NULL OR substr(delivered_at, 1, 16) <> substr(CAST(?2 AS text), 1, 16))`,
    FAILS: `UPDATE webhooks SET failing_since = coalesce(failing_since, ?2), last_error = ?3 WHERE id = ?1`,
    CANCEL: `UPDATE deliveries SET status = 'cancelled', next_try_at = NULL, claimed_until = NULL, claimed_by = NULL,
        finished_at = ?2
      WHERE webhook_id = ?1 AND status = 'pending'`,
  })

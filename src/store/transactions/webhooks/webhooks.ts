import type { StoredWebhook } from '../../../model/nouns/webhook/webhook.ts'
import type { Backlog, ReceiverHealth } from '../../port/webhook-store.ts'
import { deliveryDocument } from '../../rows/audited/delivery.ts'
import { webhookRows } from '../../rows/audited/webhook.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { ask, type Work } from '../work.ts'

/** Rows removed at once. */
const TRIMMED = 1000

/** Webhooks themselves, their single deliveries, and the removal of old ones. */
export function webhookWork(dialect: SqlDialect) {
  const { FIND, BURIED, FORGET } = webhookStatements(dialect)
  const { TRIES, HEALTH, TRIM, TRIM_WEBHOOK, PENDING, BACKLOG } = deliveryStatements(dialect)

  return {
    *find(id: string): Work<StoredWebhook | undefined> {
      const [row] = yield* ask(FIND, id)
      return row && webhookRows.read(row)
    },

    *tries(webhook: string, number: number): Work<string> {
      return `[${textIn(yield* ask(TRIES, webhook, number)) ?? ''}]`
    },

    *health(ids: readonly string[]): Work<readonly (readonly [string, ReceiverHealth])[]> {
      return (yield* ask(HEALTH, ids)).map(healthIn)
    },

    *trim(before: string): Work<boolean> {
      let most = (yield* ask(TRIM, before)).length
      for (const [id] of yield* ask(BURIED)) {
        const { length } = yield* ask(TRIM_WEBHOOK, id)
        if (length < TRIMMED) yield* ask(FORGET, id)
        most = Math.max(most, length)
      }
      return most >= TRIMMED
    },

    *hasPending(): Work<boolean> {
      return (yield* ask(PENDING)).length > 0
    },

    *backlog(): Work<Backlog> {
      const [[pending, failing, oldest] = []] = yield* ask(BACKLOG)
      return { pending: Number(pending), failing: Number(failing), oldest: oldest === null ? null : String(oldest) }
    },
  }
}

const MOST_COUNTED = 1000

function healthIn(row: Row): readonly [string, ReceiverHealth] {
  const [id, failingSince, lastError, deliveredAt, nextTryAt, waiting] = row
  const text = (value: unknown): string | null => (value === null ? null : String(value))
  return [
    String(id),
    {
      failingSince: text(failingSince),
      lastError: text(lastError),
      deliveredAt: text(deliveredAt),
      nextTryAt: text(nextTryAt),
      waiting: Number(waiting),
    },
  ]
}

export const textIn = ([row]: readonly Row[]): string | undefined => (row === undefined ? undefined : String(row[0]))

const { columns } = webhookRows

/** Webhooks as rows. Creating or settling deliveries locks the webhook, so it happens one at a time. */
export const webhookStatements = (dialect: SqlDialect) =>
  statementsIn(dialect, 'webhooks', {
    FIND: `SELECT ${columns.join(', ')} FROM webhooks WHERE id = ?1`,
    // In one order, so that no two wait for each other.
    LOCK: `SELECT ${columns.join(', ')} FROM webhooks WHERE ${dialect.among('id', '?1')} ORDER BY id ${dialect.lock}`,
    // From the currently readable events on: an event that was committed just before and is still held back is
    // delivered too.
    INSERT: `INSERT INTO webhooks (${columns.join(', ')}, cursor)
      VALUES (${columns.map((_, at) => `?${at + 1}`).join(', ')}, coalesce(${feedEnd(dialect)}, ${dialect.beforeAll}))
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    UPDATE: `UPDATE webhooks SET ${columns
      .map((column, at) => `${column} = ?${at + 1}`)
      .slice(1)
      .join(', ')} WHERE id = ?1`,
    DELETE: 'DELETE FROM webhooks WHERE id = ?1',
    BURY: 'INSERT INTO removed_webhooks (id) VALUES (?1)',
    // One instance at a time: rows that another is removing still exist.
    BURIED: `SELECT id FROM removed_webhooks ORDER BY id ${dialect.lockFree}`,
    FORGET: 'DELETE FROM removed_webhooks WHERE id = ?1',
  })

/** The position of the last readable event. */
export const feedEnd = ({ feed }: SqlDialect): string => `(SELECT sequence FROM ${feed} ORDER BY sequence DESC LIMIT 1)`

export function deliveryStatements(dialect: SqlDialect) {
  const { now, rowId, isOneOf, lock, lockFree, indexedBy } = dialect
  const item = deliveryDocument(dialect.sequence.text).sql
  return statementsIn(dialect, 'deliveries', {
    DELIVERY: `SELECT ${item} FROM deliveries WHERE webhook_id = ?1 AND number = ?2`,
    TRIES: `SELECT coalesce(tries, '') FROM deliveries WHERE webhook_id = ?1 AND number = ?2`,
    HEALTH: `SELECT id, failing_since, last_error, delivered_at,
        (SELECT min(next_try_at) FROM deliveries WHERE webhook_id = webhooks.id AND deliveries.status = 'pending' AND failures > 0),
        (SELECT count(*) FROM (SELECT 1 FROM deliveries
          WHERE webhook_id = webhooks.id AND deliveries.status = 'pending' LIMIT ${MOST_COUNTED}) AS pending)
      FROM webhooks WHERE ${dialect.among('id', '?1')}`,
    REDELIVER: `UPDATE deliveries SET status = 'pending', failures = 0, next_try_at = ${now}, claimed_until = NULL,
      claimed_by = NULL, finished_at = NULL WHERE webhook_id = ?1 AND number = ?2 RETURNING ${item}`,
    TRIM: `DELETE FROM deliveries WHERE ${isOneOf(
      `SELECT ${rowId} FROM deliveries WHERE finished_at < ?1 LIMIT ${TRIMMED} ${lockFree}`,
    )} RETURNING number`,
    TRIM_WEBHOOK: `DELETE FROM deliveries WHERE ${isOneOf(
      `SELECT ${rowId} FROM deliveries WHERE webhook_id = ?1 LIMIT ${TRIMMED} ${lock}`,
    )} RETURNING number`,
    PENDING: `SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1`,
    // From the indexes alone, except for those that are next of their deal: only these can have failed, or be the
    // oldest.
    BACKLOG: `SELECT (SELECT count(*) FROM deliveries WHERE status = 'pending'),
        count(*) FILTER (WHERE failures > 0), min(created_at)
      FROM deliveries ${indexedBy('deliveries_due')} WHERE status = 'pending' AND next_try_at IS NOT NULL`,
  })
}

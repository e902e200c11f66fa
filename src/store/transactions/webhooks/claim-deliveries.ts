import type { Schema } from '../../../model/declaration/schema.ts'
import { callerNow } from '../../../model/intent/grants.ts'
import { conditionOf } from '../../../model/nouns/webhook/condition.ts'
import { type StoredWebhook, secretsAt, typesOf } from '../../../model/nouns/webhook/webhook.ts'
import { resourceOf } from '../../../queries/collections.ts'
import { type Judge, judgeOf } from '../../../queries/parse/condition.ts'
import { readChange } from '../../../queries/thing-change.ts'
import type { ClaimRequest } from '../../../work/leased-work.ts'
import type { ClaimedDeliveries, ClaimedDelivery, DeliveryResult } from '../../port/webhook-store.ts'
import { webhookRows } from '../../rows/audited/webhook.ts'
import { feedDocument, TOLD_EVENTS } from '../../rows/event.ts'
import { shownDocument, shownEvent } from '../../rows/shown-document.ts'
import { wholeEvent, wholeState } from '../../rows/whole-state.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { isBefore } from '../../sql/thing-events.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import type { SettleDeliveries } from './settle-deliveries.ts'
import { feedEnd } from './webhooks.ts'

/** The number of events read in one step, and of steps for one webhook at a time. */
const LOOKED_AT = 100
const MOST_LOOKS = 20

/**
 * The events of a receiver that is far behind wait in the feed, not as rows: these bound the number of its deals with a
 * pending delivery, and of its deliveries. The second is far more than one deal has: a busy deal holds back no other.
 */
const MOST_DEALS = 10_000
const MOST_PENDING = 100_000
/** They are counted once for this many new ones: counting takes longer the more are pending. */
const COUNTED_EVERY = 1000

/** Creates deliveries from the feed, and claims those that are due. */
export function claimWork(dialect: SqlDialect, schema: Schema, settle: SettleDeliveries) {
  const { HAS_WORK, LOCK_WORK, FULL, LOOK, TOLD, PLAN, ADVANCE, CLAIM } = statements(dialect)

  return {
    *hasWork(): Work<boolean> {
      return (yield* ask(HAS_WORK)).length > 0
    },

    *claim(request: ClaimRequest, results: readonly DeliveryResult[], owner: string): Work<ClaimedDeliveries> {
      yield* settle(results, owner)
      const deliveries: ClaimedDelivery[] = []
      const together = new Set(request.together?.subscriptions)
      let left = request.together?.most ?? 0
      let more = false
      // Instances share the webhooks: one that another is busy with is skipped.
      for (const row of yield* ask(LOCK_WORK, request.behind)) {
        const webhook = webhookRows.read(row)
        if (isOfLimited(webhook.owner)) continue
        const own = request.of[webhook.id] ?? request.ofEach
        const room = Math.min(together.has(webhook.id) ? Math.min(own, left) : own, request.most - deliveries.length)
        if (room <= 0) continue
        const claimed = yield* claimOf(webhook, positionIn(row), room, request.lease, owner)
        deliveries.push(...claimed.deliveries)
        if (together.has(webhook.id)) left -= claimed.deliveries.length
        more ||= claimed.more && claimed.deliveries.length < room
      }
      return { deliveries, more }
    },
  }

  /** Nothing is sent to an owner who does not see everything: events continue when they do. */
  function isOfLimited(user: string | null): boolean {
    return user !== null && callerNow(schema, { name: user, user, role: 'admin' }).own !== undefined
  }

  function judgeIn(webhook: StoredWebhook): Judge | undefined {
    const condition = conditionOf(webhook)
    return condition && judgeOf(schema, condition)
  }

  /** The positions of the events that a condition lets through. */
  function* accepted({ collection, accepts }: Judge, ...looked: readonly unknown[]): Work<readonly string[]> {
    const things = resourceOf(collection)
    const show = things === undefined ? String : shownDocument(things)
    return (yield* ask(TOLD, ...looked)).flatMap(([place, revision, doc, before]) => {
      const previous = before === null ? undefined : show(wholeState(String(before)))
      const change = readChange(collection, Number(revision), show(wholeState(String(doc))), previous)
      return accepts(change) ? [String(place)] : []
    })
  }

  function* claimOf(
    webhook: StoredWebhook,
    start: Position,
    most: number,
    lease: number,
    owner: string,
  ): Work<ClaimedDeliveries> {
    const { id, url } = webhook
    const types = typesOf(webhook, schema)
    const judge = judgeIn(webhook)
    const secrets = secretsAt(webhook, new Date().toISOString())
    const deliveries: ClaimedDelivery[] = []
    const claimDue = () => bind(CLAIM, id, most - deliveries.length, lease, owner)
    const keep = (rows: readonly Row[] = []): void => {
      for (const [number, failures, json] of rows) {
        const event = json === null ? null : shownEvent(schema)(wholeEvent(String(json)))
        deliveries.push({ webhook: id, number: Number(number), failures: Number(failures), event, url, secrets })
      }
    }
    let { cursor, number } = start
    const [claimed] = yield* askAll([claimDue()])
    keep(claimed)
    let more = start.hasNews
    let counted = -1
    for (let looks = 0; deliveries.length < most && more && looks < MOST_LOOKS; looks++) {
      // No step creates more than LOOKED_AT, so one begins here each time.
      if (number % COUNTED_EVERY < LOOKED_AT && number !== counted) {
        more = (yield* ask(FULL, id)).length === 0
        counted = number
        if (!more) break
      }
      const [[count, last, wanted] = []] = yield* ask(LOOK, cursor, types)
      more = Number(count) === LOOKED_AT
      if (Number(count) === 0) break
      const judged =
        judge === undefined || Number(wanted) === 0 ? undefined : yield* accepted(judge, cursor, last, types)
      const next = number + (judged?.length ?? Number(wanted))
      const plan = next > number ? [bind(PLAN, id, number, cursor, last, types, judged ?? null)] : []
      const rows = yield* askAll([...plan, bind(ADVANCE, id, last, next), claimDue()])
      keep(rows.at(-1))
      cursor = last
      number = next
    }
    return { deliveries: deliveries.toSorted((a, b) => a.number - b.number), more }
  }
}

/** The position in the feed up to which deliveries exist, their number, and whether the feed continues. */
interface Position {
  /** In the engine's format. */
  readonly cursor: unknown
  readonly number: number
  readonly hasNews: boolean
}

function positionIn(row: Row): Position {
  const [cursor, number, hasNews] = row.slice(webhookRows.columns.length)
  return { cursor, number: Number(number), hasNews: Boolean(hasNews) }
}

function statements(dialect: SqlDialect) {
  const { now, fromNow, among, rowId, isOneOf, lockFree, sequence } = dialect
  const isDue = `status = 'pending' AND next_try_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})`
  const hasNews = `cursor < ${feedEnd(dialect)}`
  // The order leads to the index of due deliveries: any other one would read through all that wait.
  const hasWork = `webhooks.status = 'active' AND ${dialect.truths('webhooks.paused').false} AND (${hasNews} OR 1 = (
    SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND deliveries.${isDue}
    ORDER BY next_try_at, number LIMIT 1))`
  // Receivers get only what everybody may know. decisions/0039
  const isWanted = (types: string, of = ''): string =>
    `(${among(`${of}type`, types)} OR ${types} IS NULL) AND ${of}private_to IS NULL`
  return statementsIn(dialect, 'deliveries', {
    HAS_WORK: `SELECT 1 FROM webhooks WHERE ${hasWork} LIMIT 1`,
    LOCK_WORK: `SELECT ${webhookRows.columns.join(', ')}, cursor, last_number, ${hasNews} FROM webhooks WHERE ${hasWork}
      ORDER BY id > ?1 DESC, id ${lockFree}`,
    // Returns a row while too much is pending.
    FULL: `SELECT 1 WHERE ${MOST_DEALS} = (SELECT count(*) FROM (SELECT 1 FROM deliveries
        WHERE webhook_id = ?1 AND status = 'pending' AND next_try_at IS NOT NULL LIMIT ${MOST_DEALS}) AS deals)
      OR ${MOST_PENDING} = (SELECT count(*) FROM (SELECT 1 FROM deliveries
        WHERE webhook_id = ?1 AND status = 'pending' LIMIT ${MOST_PENDING}) AS pending)`,
    // The next few events: their number, the last of them, and how many are wanted.
    LOOK: `SELECT count(*), max(sequence), count(*) FILTER (WHERE ${isWanted('?2')}) FROM (
      SELECT sequence, type, private_to FROM ${dialect.feed} WHERE sequence > ?1 ORDER BY sequence LIMIT ${LOOKED_AT}) AS looked`,
    // Their documents, and those of the revisions before.
    TOLD: `SELECT told.sequence, told.revision, told.doc, earlier.doc FROM ${dialect.feed} AS told
      LEFT JOIN ${TOLD_EVENTS} AS earlier ON ${isBefore(dialect, 'earlier', 'told')}
      WHERE told.sequence > ?1 AND told.sequence <= ?2 AND ${isWanted('?3', 'told.')} ORDER BY told.sequence`,
    // As deliveries of a webhook; one whose deal has an earlier one waits.
    PLAN: `INSERT INTO deliveries
        (webhook_id, number, sequence, subject, type, status, attempts, failures, next_try_at, created_at)
      SELECT CAST(?1 AS text), CAST(?2 AS bigint) + nth, sequence, subject, type, 'pending', 0, 0,
        CASE WHEN nth_of_deal = 1 AND NOT EXISTS (
          SELECT 1 FROM deliveries AS earlier WHERE earlier.webhook_id = CAST(?1 AS text)
            AND earlier.subject = wanted.subject AND earlier.status = 'pending') THEN ${now} END, ${now}
      FROM (
        SELECT sequence, subject, type, row_number() OVER (ORDER BY sequence) AS nth,
          row_number() OVER (PARTITION BY subject ORDER BY sequence) AS nth_of_deal
        FROM ${dialect.feed} WHERE sequence > ?3 AND sequence <= ?4 AND ${isWanted('?5')}
          AND (${among('CAST(sequence AS text)', '?6')} OR ?6 IS NULL)) AS wanted`,
    ADVANCE: 'UPDATE webhooks SET cursor = ?2, last_number = ?3 WHERE id = ?1',
    CLAIM: `UPDATE deliveries SET claimed_until = ${fromNow('?3')}, claimed_by = ?4
      WHERE ${isOneOf(`SELECT ${rowId} FROM deliveries WHERE webhook_id = ?1 AND ${isDue}
        ORDER BY next_try_at, number LIMIT ?2 ${lockFree}`)}
      RETURNING number, failures, (SELECT ${feedDocument(sequence.text).sql} FROM ${TOLD_EVENTS} AS event
        WHERE event.sequence = deliveries.sequence)`,
  })
}

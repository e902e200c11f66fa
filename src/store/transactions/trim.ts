import type { Operation, Schema } from '../../model/declaration/schema.ts'
import { importedWords } from '../../model/nouns/customer/imported.ts'
import { undoneWords } from '../../model/nouns/imports/undone.ts'
import type { Trimmed, TrimmedBefore } from '../port/maintenance.ts'
import { TOLD_EVENTS } from '../rows/event.ts'
import { wholeState } from '../rows/whole-state.ts'
import { type SqlDialect, statementsIn } from '../sql/dialect.ts'
import type { Row } from '../sql/statement.ts'
import { isLeft } from '../sql/thing-events.ts'
import type { TableStatements } from './table-statements.ts'
import { ask, askAll, type BoundStatement, bind, type Work } from './work.ts'

/** Bounds how long a transaction blocks others. */
const BATCH = 500

export type InTransaction = <T>(work: () => Work<T>, changesModel?: boolean) => Promise<T>

/** Removes what is older than the retention. A replay needs its event, so commands are removed first. */
export async function* trimHistory(
  dialect: SqlDialect,
  schema: Schema,
  tables: Pick<TableStatements, 'lock'>,
  inTransaction: InTransaction,
  { commands, events }: TrimmedBefore,
): AsyncIterable<Trimmed> {
  if (commands !== undefined) yield* trimCommands(dialect, inTransaction, commands)
  if (events !== undefined) yield* trimEvents(dialect, schema, tables, inTransaction, events)
}

/** Removes the commands that were decided before an instant, a batch and a transaction at a time. */
async function* trimCommands(
  dialect: SqlDialect,
  inTransaction: InTransaction,
  before: string,
): AsyncIterable<Trimmed> {
  const { OLD, REMOVE } = statementsIn(dialect, 'trim commands', {
    // By their age, which has an index: by their ids, those that stay would be read too, while others wait.
    OLD: `SELECT id FROM commands WHERE decided_at < ?1 ORDER BY decided_at, id LIMIT ${BATCH}`,
    REMOVE: `DELETE FROM commands WHERE ${dialect.among('id', '?1')}`,
  })
  const trimNext = function* (): Work<number> {
    const ids = (yield* ask(OLD, before)).map(([id]) => String(id))
    if (ids.length > 0) yield* ask(REMOVE, ids)
    return ids.length
  }
  for (;;) {
    const commands = await inTransaction(trimNext)
    if (commands === 0) return
    yield { commands, events: 0 }
  }
}

/**
 * Trims the feed up to an instant, a range and a transaction at a time. For each thing its creation stays, its lasting
 * events, and its last event before the boundary, each of which then has its whole state; for a removed thing the event
 * of its removal. Events that a webhook has not yet got stay.
 */
async function* trimEvents(
  dialect: SqlDialect,
  schema: Schema,
  tables: Pick<TableStatements, 'lock'>,
  inTransaction: InTransaction,
  before: string,
): AsyncIterable<Trimmed> {
  const owed = await inTransaction(() => owedFrom(dialect))
  const trimRange = trimmingRanges(dialect, schema, tables, before, owed)
  for (;;) {
    const events = await inTransaction(trimRange)
    if (events === undefined) return
    yield { commands: 0, events }
  }
}

/** The last event that every active webhook has got, in the engine's format; undefined if there is no webhook. */
function* owedFrom(dialect: SqlDialect): Work<TrimBounds> {
  const { CURSOR, PENDING } = statementsIn(dialect, 'owed events', {
    CURSOR: `SELECT min(cursor) FROM webhooks WHERE status = 'active'`,
    PENDING: `SELECT min(sequence) FROM deliveries
      WHERE status = 'pending' AND webhook_id IN (SELECT id FROM webhooks WHERE status = 'active')`,
  })
  const [[[cursor] = []] = [], [[pending] = []] = []] = yield* askAll([bind(CURSOR), bind(PENDING)])
  return { upTo: cursor ?? undefined, below: pending ?? undefined }
}

interface TrimBounds {
  readonly upTo: unknown
  readonly below: unknown
}

interface RangeEvent {
  readonly sequence: unknown
  readonly subject: string
  readonly revision: number
  readonly type: string
  readonly at: string
}

/** Trims the next range; undefined if there is none. */
function trimmingRanges(
  dialect: SqlDialect,
  { operations }: Schema,
  { lock }: Pick<TableStatements, 'lock'>,
  before: string,
  { upTo, below }: TrimBounds,
) {
  const { beforeAll, feed } = dialect
  const typesOf = (is: (operation: Operation) => boolean | undefined): ReadonlySet<string> =>
    new Set(operations.filter(is).map(({ words }) => words.event as string))
  const staying = { removals: typesOf(({ removes }) => removes), lasting: typesOf(({ lasting }) => lasting) }
  const lastingTypes = [...staying.lasting].map((type) => `'${type}'`).join(', ')
  const { NEXT, STATES, KEEP, MARK, REMOVE, REMOVE_EARLIER, COUNT, FORGET, MOVE, BEGIN } = statementsIn(
    dialect,
    'trim events',
    {
      NEXT: `SELECT sequence, subject, revision, type, at FROM ${feed} WHERE (sequence <= ?1 OR ?1 IS NULL)
        AND (sequence < ?2 OR ?2 IS NULL) ORDER BY sequence LIMIT ${BATCH}`,
      STATES: `SELECT sequence, doc FROM ${TOLD_EVENTS} WHERE ${dialect.among('sequence', '?1')}`,
      KEEP: 'UPDATE events SET doc = ?2 WHERE sequence = ?1',
      // The events that led to these are removed.
      ...(dialect.chain && {
        MARK: `UPDATE events SET ${dialect.chain.milestone} WHERE ${dialect.among('sequence', '?1')} AND NOT ${dialect.chain.milestone}`,
      }),
      REMOVE: `DELETE FROM events WHERE ${dialect.among('sequence', '?1')}`,
      // Of the earlier ranges, two events are left and the lasting ones, which go with a removed thing.
      REMOVE_EARLIER: `DELETE FROM events WHERE subject = ?1 AND ${isLeft(dialect)} AND revision > ?2 AND revision < ?3
        AND (?2 = 0 OR type NOT IN (${lastingTypes})) RETURNING 1`,
      COUNT: `INSERT INTO trimmed_histories (subject, events) VALUES (?1, ?2)
        ON CONFLICT (subject) DO UPDATE SET events = trimmed_histories.events + excluded.events`,
      FORGET: 'DELETE FROM trimmed_histories WHERE subject = ?1',
      MOVE: 'UPDATE trimmed_feed SET upto = ?1',
      BEGIN: `INSERT INTO trimmed_feed (upto) SELECT ${beforeAll} WHERE NOT EXISTS (SELECT 1 FROM trimmed_feed)`,
    },
  )

  return function* trimRange(): Work<number | undefined> {
    // Serialize concurrent trims, so that each event is counted once and the boundary never moves back.
    yield* askAll(lock(['trimmed_feed']))
    const rows = (yield* ask(NEXT, upTo ?? null, below ?? null)).map(readRow)
    // Up to the first that stays: the feed has no gaps. An event from a clock that was ahead is as old as its position.
    const now = new Date().toISOString()
    const stays = rows.findIndex(({ at }) => at >= before && at <= now)
    const old = stays === -1 ? rows : rows.slice(0, stays)
    const range = old.slice(0, old.findLastIndex(({ at }) => at < before) + 1)
    const end = range.at(-1)
    if (end === undefined) return undefined
    const things = [...Map.groupBy(range, ({ subject }) => subject)].map(([, events]) => rangeOf(events, staying))
    // Before the events that contain the rest of a state are removed.
    const whole = things.flatMap(({ whole }) => whole)
    const states = (yield* ask(STATES, whole)).flatMap(([sequence, doc]): BoundStatement[] => {
      const state = wholeState(String(doc))
      return state === doc ? [] : [bind(KEEP, sequence, state)]
    })
    yield* askAll(states)
    if (MARK !== undefined) {
      yield* ask(
        MARK,
        things.flatMap(({ kept }) => kept),
      )
    }
    const earlier = yield* askAll(
      things.map(({ subject, first, creation }) => bind(REMOVE_EARLIER, subject, creation, first)),
    )
    const goes = things.flatMap(({ trimmed }) => trimmed)
    const counts = things.flatMap(({ subject, trimmed, isGone }, at): BoundStatement[] => {
      const count = trimmed.length + (earlier[at]?.length ?? 0)
      return isGone ? [bind(FORGET, subject)] : count > 0 ? [bind(COUNT, subject, count)] : []
    })
    yield* askAll([bind(REMOVE, goes), ...counts, bind(BEGIN), bind(MOVE, end.sequence)])
    return goes.length + earlier.reduce((sum, rows) => sum + rows.length, 0)
  }
}

const readRow = ([sequence, subject, revision, type, at]: Row): RangeEvent => ({
  sequence,
  subject: String(subject),
  revision: Number(revision),
  type: String(type),
  at: String(at),
})

/** In the feed these are events of imports, which are not things. */
const ofImports: ReadonlySet<string> = new Set([importedWords.event, undoneWords.event])

interface Staying {
  readonly removals: ReadonlySet<string>
  readonly lasting: ReadonlySet<string>
}

/** The events of one thing in a range: which are removed, and which stay with their whole state. */
function rangeOf(events: readonly RangeEvent[], { removals, lasting }: Staying) {
  const { subject, revision: first } = events[0] as RangeEvent
  const last = events.at(-1) as RangeEvent
  const removed = events.findLast(({ type }) => removals.has(type))?.revision ?? 0
  const isGone = removals.has(last.type) || ofImports.has(last.type)
  const creation = removed > 0 ? 0 : 1
  const isLasting = ({ revision, type }: RangeEvent): boolean => lasting.has(type) && revision > removed
  const isKept = (event: RangeEvent): boolean =>
    !ofImports.has(event.type) &&
    (event.revision === creation || event === last || removals.has(event.type) || isLasting(event))
  const kept = events.filter(isKept).map(({ sequence }) => sequence)
  const trimmed = events.filter((event) => !isKept(event)).map(({ sequence }) => sequence)
  const whole = events.filter((event) => event === last || isLasting(event)).map(({ sequence }) => sequence)
  return { subject, first, whole, creation, isGone, kept, trimmed }
}

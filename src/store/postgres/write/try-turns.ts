import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { IntentBatch } from '../../../model/intent/batch.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import { targetSought, type UniqueValue, uniqueValuesIn } from '../../../model/intent/unique-values.ts'
import type { Concerned } from '../../transactions/facts/fact.ts'
import { readAhead } from '../../transactions/facts/known-facts.ts'
import { bind, together, type Work } from '../../transactions/work.ts'
import { subjectOf } from '../../transactions/write/decided-things.ts'
import { type BatchDecision, Deciding, type DecidingSettings } from '../../transactions/write/deciding.ts'
import type { Decision } from '../../transactions/write/decision.ts'
import { mayPart } from '../../transactions/write/partings.ts'
import type { Session } from '../connect/connection.ts'
import { runWriting } from '../schema/transaction.ts'
import { thingsAndRecords } from './decided-rows.ts'
import { thingReader } from './thing-reader.ts'
import { areApart, type LinkLocks, linkLocks, lockedBy, TRY_LINKS } from './turn-locks.ts'

/** The intents on one thing that wait together: a batch whose intents are each decided separately. */
export interface Turn {
  readonly intents: readonly Intent[]
  /** By index, the same at each attempt, so that a thing created by a lost attempt is found. */
  readonly newIds: readonly Key[]
}

/** One attempt to decide and write turns in one transaction. */
export interface TurnsTry {
  /** The id of its write: each event contains it, so that after a lost connection its fate can be determined. */
  readonly writeId: string
  readonly settings: DecidingSettings
  /** Called before the commit. */
  readonly onDecided: (turn: Turn, decided: BatchDecision) => void
}

/**
 * The turn's decision, committed; undefined if another instance was changing the thing. Or the defect that prevented
 * the decision.
 */
export type TurnResult = { readonly decided: BatchDecision } | { readonly defect: unknown } | undefined

/** Two round trips for any number of things of a resource: locks and facts, then all decisions. */
export async function tryTurns(
  session: Session,
  resource: Resource,
  turns: readonly Turn[],
  tried: TurnsTry,
): Promise<readonly TurnResult[]> {
  try {
    return await runWriting(session, decideTurns(resource, turns, tried), { version: resource.schema.version })
  } catch (cause) {
    await session.query(ROLLBACK).catch(() => {})
    throw cause
  }
}

function* decideTurns(resource: Resource, turns: readonly Turn[], tried: TurnsTry): Work<readonly TurnResult[]> {
  const locked = turns.map((turn) => locksOf(resource, turn))
  // The facts are read by separate statements: they see everything committed before the locks were free.
  const [ours, facts] = yield* together([
    takeLocks(locked),
    readAhead(
      thingReader,
      turns.flatMap((turn) => concernedIn(resource, turn)),
      () => [],
    ),
  ])
  const now = new Date().toISOString()
  const tries = turns.map((turn, at): Try | undefined => {
    const own = locked[at]
    if (own === undefined || !own.names.every((name) => ours.has(name))) return undefined
    if (locked.some(({ links }, other) => other < at && areApart(own.links, links))) return undefined
    try {
      const deciding = new Deciding(asBatch(turn), { newId: (index) => turn.newIds[index] ?? '' }, tried.settings)
      deciding.decide(0, turn.intents.length, facts, now)
      const { decisions } = deciding.decided
      // It may have to wait for referring things.
      if (decisions.some(mayPart)) return undefined
      tried.onDecided(turn, deciding.decision)
      return { decided: deciding.decision, decisions }
    } catch (defect) {
      return { defect }
    }
  })
  const decisions = tries.flatMap((each) => (each !== undefined && 'decisions' in each ? each.decisions : []))
  const rows = yield [...thingsAndRecords([resource, decisions], tried.writeId), bind(COMMIT)]
  const written = new Set(rows.flat().map(([subject]) => subject))
  return tries.map((each) =>
    each === undefined || 'defect' in each || each.decisions.every((one) => written.has(writtenAs(one)))
      ? each
      : undefined,
  )
}

type Try = { readonly decided: BatchDecision; readonly decisions: readonly Decision[] } | { readonly defect: unknown }

const writtenAs = (decision: Decision): string => String(decision.after?.thing.id ?? subjectOf(decision))

/** A turn as a batch. */
export const asBatch = ({ intents }: Turn): IntentBatch => ({ intents, atomic: false, dryRun: false, linked: false })

/** The intents of a turn are about the thing of the first. */
const targetOf = ({ intents: [first] }: Turn, resource: Resource): Key | undefined =>
  first && targetSought(first, resource)

const concernedIn = (resource: Resource, turn: Turn): readonly Concerned[] =>
  turn.intents.map((intent) => ({ intent, resource, target: targetOf(turn, resource) }))

/** The names of the locks of a turn. */
interface TurnLocks {
  /** All of them. */
  readonly names: readonly string[]
  readonly links: LinkLocks
}

function locksOf(resource: Resource, turn: Turn): TurnLocks {
  const subject = targetOf(turn, resource)
  const links = linkLocks(turn.intents.map((intent) => ({ intent, resource, subject })))
  // The thing of the turn, or the one that it would create.
  const thing = String(subject ?? turn.newIds[0] ?? '')
  return { names: [thing, ...valueNames(turn.intents, resource), ...links.keys()], links }
}

/** The names of those that are free. */
function* takeLocks(all: readonly TurnLocks[]): Work<ReadonlySet<unknown>> {
  const linked = lockedBy(all.map(({ links }) => links))
  const names = all.flatMap(({ names, links }) => names.filter((name) => !links.has(name))).toSorted()
  const rows = yield [bind(TRY_TURNS, names), ...(linked[0].length === 0 ? [] : [bind(TRY_LINKS, ...linked)])]
  return new Set(rows.flat().map(([name]) => name))
}

/** The locks of the unique values that intents may set: of two that set the same, the later sees the earlier. */
export const valueNames = (intents: readonly Intent[], resource: Resource): readonly string[] => [
  ...new Set(intents.flatMap((intent) => uniqueValuesIn(intent, resource).map((value) => nameOf(resource, value)))),
]

/** A unique value as the name of its lock. */
export const nameOf = ({ name }: Resource, { field, value }: UniqueValue): string => `${name}.${field} ${value}`

export const COMMIT = { text: 'COMMIT' }
export const ROLLBACK = { text: 'ROLLBACK' }

/**
 * The things whose lock is free, in the order in which all instances ask: a lock that ends with the transaction.
 * Writers take it before the transaction gets an id, and the commit releases it, so of two writers the later one has
 * the higher id: the events of a thing sort by revision. A row lock cannot guarantee this: a waiting transaction may
 * already have its id (decisions/0014).
 */
const TRY_TURNS = {
  name: 'try-turns',
  text: `SELECT subject FROM unnest($1::text[]) AS subject WHERE pg_try_advisory_xact_lock(hashtextextended(subject, 0))`,
}

export const FIND_WRITE = {
  name: 'find-write',
  text: 'SELECT write_id::text FROM events WHERE subject = $1 AND write_id = ANY ($2::uuid[]) LIMIT 1',
}

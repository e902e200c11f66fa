import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import { targetSought, type UniqueValue, uniqueValuesIn } from '../../../model/intent/unique-values.ts'
import type { Session } from '../connect/connection.ts'
import { beginWriting, runAll } from '../schema/transaction.ts'
import type { Turn, TurnDecision } from './decide.ts'
import { type KnownFacts, readFacts } from './facts.ts'
import { mayPart } from './part.ts'
import { writesAnything, writesOf } from './thing-rows.ts'
import { areApart, linkLocks, lockedBy, TRY_LINKS } from './turn-locks.ts'

/** One attempt to decide and write turns in one transaction. */
export interface Try {
  /** The id of its write: each event contains it, so that after a lost connection its fate can be determined. */
  readonly writeId: string
  decide(turn: Turn, facts: KnownFacts): TurnDecision
}

/**
 * The turn's decision, committed; undefined if another instance was changing the thing. Or the defect that prevented
 * the decision.
 */
export type TurnResult = { readonly decided: TurnDecision } | { readonly defect: unknown } | undefined

/** Two round trips for any number of things: locks and facts, then all decisions. */
export async function tryTurns(
  session: Session,
  resource: Resource,
  turns: readonly Turn[],
  { writeId, decide }: Try,
): Promise<readonly TurnResult[]> {
  const { query } = session
  const targetOf = ({ asked: [first] }: Turn): Key | undefined => first && targetSought(first.intent, resource)
  // The thing of the turn, or the one that it would create.
  const subjects = turns.map((turn) => String(targetOf(turn) ?? turn.asked[0]?.newId ?? ''))
  const values = turns.map(({ asked }) =>
    valueNames(
      asked.map(({ intent }) => intent),
      resource,
    ),
  )
  const resolved = turns.flatMap((turn) => turn.asked.map(({ intent }) => ({ intent, target: targetOf(turn) })))
  const links = turns.map((turn) =>
    linkLocks(turn.asked.map(({ intent }) => ({ intent, resource, subject: targetOf(turn) }))),
  )
  const linked = lockedBy(links)
  try {
    // The facts are read by separate statements: they see everything committed before the locks were free.
    const [locked, lockedLinks, factsOf] = await beginWriting(
      session,
      () =>
        Promise.all([
          query(TRY_TURNS, [[...subjects, ...values.flat()].toSorted()]),
          linked[0].length === 0 ? [] : query(TRY_LINKS, linked),
          readFacts(session, resource, resolved),
        ]),
      { version: resource.schema.version },
    )
    const ours = new Set([...locked, ...lockedLinks].map(([subject]) => subject))
    const results = turns.map((turn, at): TurnResult => {
      const own = links[at] ?? new Map()
      if (![subjects[at], ...(values[at] ?? []), ...own.keys()].every((name) => ours.has(name))) return undefined
      if (links.some((others, other) => other < at && areApart(own, others))) return undefined
      try {
        const decided = decide(turn, factsOf(targetOf(turn)))
        // It may have to wait for referring things.
        return mayPart(resource, decided) ? undefined : { decided }
      } catch (defect) {
        return { defect }
      }
    })
    const decisions = results.flatMap((result) => (result !== undefined && 'decided' in result ? [result.decided] : []))
    const writes = writesOf(resource, decisions.filter(writesAnything), writeId)
    const [rows] = await Promise.all([runAll(query, writes), query(COMMIT)])
    const written = new Set(rows.flat().map(([subject]) => subject))
    return results.map((result, at) => {
      const isPending = result !== undefined && 'decided' in result && writesAnything(result.decided)
      return isPending && !written.has(subjects[at]) ? undefined : result
    })
  } catch (cause) {
    await query(ROLLBACK).catch(() => {})
    throw cause
  }
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

import { type IntentBatch, inOrder, type NotTried } from '../../../../model/perform/batch.ts'
import { targetSought, wouldRemove } from '../../../../model/perform/decide-change.ts'
import type { Intent } from '../../../../model/perform/intent.ts'
import type { Key } from '../../../../model/resource.ts'
import { referencedFirst, referrersOf, resourceNamed } from '../../../../model/resources.ts'
import type { Resource, Schema } from '../../../../model/schema.ts'
import type { Outcome } from '../../../port/store.ts'
import { commandColumns, commandValues, readCommand } from '../../../rows/command.ts'
import type { EventRow } from '../../../rows/event.ts'
import { bind } from '../../../work/work.ts'
import type { Session } from '../../connect/connection.ts'
import { beginWriting, runAll } from '../../schema/transaction.ts'
import { decideTurn, type Replay, type TurnDecision, type TurnSettings } from '../decide.ts'
import { appendEvents } from '../event-rows.ts'
import { COMMANDS, readFacts } from '../facts.ts'
import { awaitParting, mayPart, partingWrites } from '../part.ts'
import { projectionWrites } from '../projection-rows.ts'
import { insertRecords, recordsOf } from '../records.ts'
import { writesOf } from '../thing-rows.ts'
import { COMMIT, FIND_WRITE, ROLLBACK } from '../try-turns.ts'
import { BatchOutdated, type BatchPart, type FactsByResource, newPart, type TouchedThing } from './batch-part.ts'

/** One attempt to decide and write a batch in one transaction. */
export interface BatchTry {
  readonly batch: IntentBatch
  /** For each intent the id of the thing that it may create: the same at each attempt. */
  readonly newIds: readonly Key[]
  readonly writeId: string
  /** The decisions of earlier attempts whose fate is unknown, by the ids of their writes. */
  readonly lost: ReadonlyMap<string, BatchDecision>
  readonly settings: TurnSettings
  /** Called before the commit. */
  readonly onDecided: (decided: BatchDecision) => void
}

/** The decision of a batch. */
export interface BatchDecision {
  readonly isKept: boolean
  readonly answers: readonly (Outcome | NotTried | Replay)[]
  readonly events: readonly EventRow[]
}

/**
 * Takes the locks of all things at the beginning, in one order that all instances keep, and before the transaction gets
 * an id. A removal that affects other things reads the database after the earlier decisions were written.
 */
export async function tryBatch(session: Session, tried: BatchTry): Promise<BatchDecision> {
  const { query } = session
  const { lost, onDecided } = tried
  const expected = await expectedIn(session, tried)
  try {
    const subjects = subjectsOf(expected, tried.settings.schema)
    const [, parting, found] = await beginWriting(session, () =>
      Promise.all([
        query(AWAIT_TURNS, [subjects]),
        Promise.all(expected.filter(concernsOthers).map((each) => awaitParting(session, each.resource, each.subject))),
        Promise.all([...lost].map(([id, { events }]) => query(FIND_WRITE, [String(events[0]?.event.thing.id), [id]]))),
      ]),
    )
    const kept = lost.get(String(found.flat()[0]?.[0]))
    const decided = kept ?? (await decideAndWrite(session, tried, expected, new Set([...subjects, ...parting.flat()])))
    if (kept === undefined && decided.isKept) onDecided(decided)
    await query(kept === undefined && decided.isKept ? COMMIT : ROLLBACK)
    return decided
  } catch (cause) {
    await query(ROLLBACK).catch(() => {})
    throw cause
  }
}

/** An intent as it will be decided, unless it is refused. */
interface ExpectedIntent {
  readonly intent: Intent
  readonly resource: Resource
  /** The id of its thing; undefined if no thing can have it. */
  readonly subject: Key | undefined
}

/** A creation under a known command id, or under that of an earlier intent, is expected to return its thing again. */
async function expectedIn(
  { query }: Session,
  { batch, newIds, settings: { schema } }: BatchTry,
): Promise<readonly (ExpectedIntent | undefined)[]> {
  const ids = batch.intents.flatMap((intent) =>
    intent !== 'refused' && intent.target === undefined && intent.command !== undefined ? [intent.command.id] : [],
  )
  const rows = ids.length === 0 ? [] : await query(COMMANDS, [ids])
  const known = new Map(rows.map((row) => readCommand(row, schema)).map(({ id, subject }) => [id, subject]))
  const made = new Map<string, Key | undefined>()
  const madeBy = (intent: Intent, index: number): Key | undefined => {
    if (intent.command === undefined) return newIds[index]
    const earlier = `${intent.resource} ${intent.command.id}`
    const subject = known.get(intent.command.id) ?? made.get(earlier) ?? newIds[index]
    made.set(earlier, subject)
    return subject
  }
  const { decide } = inOrder(
    { ...batch, atomic: false, dryRun: false },
    schema,
    (intent, index): ExpectedIntent => {
      const resource: Resource = resourceNamed(schema, intent.resource)
      const subject = intent.target === undefined ? madeBy(intent, index) : targetSought(intent, resource)
      return { intent, resource, subject }
    },
    ({ subject }) => subject,
  )
  return batch.intents.map((intent) => {
    const answer = decide(intent)
    return 'intent' in answer ? answer : undefined
  })
}

/** Each once. Referenced things come first, as in a removal that affects referring ones. */
function subjectsOf(expected: readonly (ExpectedIntent | undefined)[], schema: Schema): readonly string[] {
  return referencedFirst(schema).flatMap(({ name }) => {
    const subjects = expected.flatMap((each) => (each?.resource.name === name ? [each.subject ?? ''] : []))
    return [...new Set(subjects.map(String))].sort()
  })
}

/** Whether it removes a thing that others may refer to. */
const concernsOthers = (each: ExpectedIntent | undefined): each is ExpectedIntent =>
  each !== undefined && wouldRemove(each.intent, each.resource) && referrersOf(each.resource).length > 0

async function decideAndWrite(
  session: Session,
  tried: BatchTry,
  expected: readonly (ExpectedIntent | undefined)[],
  locked: ReadonlySet<string>,
): Promise<BatchDecision> {
  const { batch, settings } = tried
  const now = new Date().toISOString()
  const all: EventRow[] = []
  let part = newPart(new Map())
  const order = inOrder(
    batch,
    settings.schema,
    (intent, index) => {
      const resource: Resource = resourceNamed(settings.schema, intent.resource)
      const sought = targetSought(intent, resource)
      const newId = expected[index]?.subject ?? ''
      const decided = decideTurn(
        resource,
        { asked: [{ intent, newId }] },
        part.factsOf(resource, sought),
        now,
        settings,
      )
      const [answer] = decided.answers
      if (answer === undefined) throw new Error('an intent was not answered')
      const left = thingLeft(answer)
      if (left !== undefined && left !== expected[index]?.subject) throw new BatchOutdated()
      part.add(resource, decided)
      return answer
    },
    thingLeft,
  )
  const answers: BatchDecision['answers'][number][] = []
  for (const [from, to] of partsOf(expected)) {
    part = newPart(await factsFor(session, expected.slice(from, to)))
    answers.push(...batch.intents.slice(from, to).map(order.decide))
    all.push(...part.events)
    // Decisions that are not kept are written only for later ones.
    if (to < expected.length || order.isKept()) await writePart(session, part, locked, tried)
  }
  return { isKept: order.isKept(), answers, events: all }
}

const thingLeft = (answer: Outcome | Replay): Key | undefined => {
  if ('replay' in answer) return answer.replay.refusal === null ? answer.replay.subject : undefined
  return answer.kind === 'applied' ? answer.thing.id : undefined
}

/** The range of intents for which one read of facts holds: a removal that affects others needs its own. */
function partsOf(expected: readonly (ExpectedIntent | undefined)[]): readonly (readonly [number, number])[] {
  const alone = expected.flatMap((each, at) => (concernsOthers(each) ? [at, at + 1] : []))
  const bounds = [...new Set([0, ...alone, expected.length])]
  return bounds.slice(1).map((to, at) => [bounds[at] ?? 0, to])
}

async function factsFor(session: Session, expected: readonly (ExpectedIntent | undefined)[]): Promise<FactsByResource> {
  const byResource = Map.groupBy(
    expected.filter((each) => each !== undefined),
    ({ resource }) => resource,
  )
  return new Map(
    await Promise.all(
      [...byResource].map(async ([resource, those]) => {
        const intents = those.map(({ intent }) => intent)
        return [resource.name, await readFacts(session, resource, intents)] as const
      }),
    ),
  )
}

/** Things first, referenced ones before referring ones, then commands, events and their projections. */
async function writePart(
  session: Session,
  { things, events }: BatchPart,
  locked: ReadonlySet<string>,
  { writeId, settings }: BatchTry,
): Promise<void> {
  const touched = [...things.values()]
  if (touched.length === 0) return
  const partings = await Promise.all(
    touched.map(async ({ resource, decided }) => {
      if (!mayPart(resource, decided)) return []
      // The transaction already has its id: a lock this late does not keep events in order.
      const referring = await awaitParting(session, resource, decided.before?.id)
      if (!referring.every((id) => locked.has(id))) throw new BatchOutdated()
      return partingWrites(session, resource, decided, writeId, settings)
    }),
  )
  // A thing that was created and removed leaves only its events.
  const written = touched.filter(({ decided: { before, after } }) => before !== undefined || after?.removed === false)
  const decidedOf = (resource: Resource): readonly TurnDecision[] =>
    written.filter((each) => each.resource === resource).map(({ decided }) => decided)
  const writes = referencedFirst(settings.schema).flatMap((resource) =>
    writesOf(
      resource,
      decidedOf(resource).map((decided) => ({ ...decided, events: [], commands: [] })),
      writeId,
    ),
  )
  const commands = touched
    .flatMap(({ decided }) => decided.commands)
    .toSorted((a, b) => (a.command.id < b.command.id ? -1 : 1))
    .map(({ command, doc }) => [...commandValues(command), doc])
  const records = [
    ...(commands.length === 0 ? [] : [bind(INSERT_COMMANDS, recordsOf(recordedColumns, commands))]),
    ...(events.length === 0 ? [] : [appendEvents(events, writeId)]),
    ...settings.schema.resources.flatMap((resource) => projectionWrites(resource, decidedOf(resource), writeId)),
  ]
  const rows = await runAll(session.query, [...partings.flat(), ...writes, ...records])
  const there = new Set(rows.flat().map(([subject]) => subject))
  const isWritten = ({ decided: { before, after } }: TouchedThing): boolean =>
    there.has(String(before?.id ?? after?.thing.id))
  if (!written.every(isWritten)) throw new BatchOutdated()
}

const recordedColumns = [...commandColumns, 'doc']
const INSERT_COMMANDS = { name: 'commands-insert', ...insertRecords('commands', recordedColumns) }

const AWAIT_TURNS = {
  name: 'await-turns',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended(subject, 0)) FROM unnest($1::text[]) AS subject',
}

import type { Key } from '../../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../../model/declaration/schema.ts'
import { type IntentBatch, inOrder, type NotTried } from '../../../../model/intent/batch.ts'
import { idSought, isUpsert } from '../../../../model/intent/unique-values.ts'
import { buildSchema, sourceOf } from '../../../../model/schema/build-schema.ts'
import { resourceNamed } from '../../../../model/schema/resources.ts'
import { idsInModel, sourceAfter } from '../../../../model/schema/stored-model.ts'
import type { Outcome } from '../../../port/store.ts'
import type { EventRow } from '../../../rows/event.ts'
import { statementIn } from '../../../sql/dialect.ts'
import { brokenBy, type SharedCondition } from '../../../work/model/broken-conditions.ts'
import { sharedConditions } from '../../../work/model/conditions-in-use.ts'
import { WRITE_MODEL } from '../../../work/model/stored-model.ts'
import type { Session } from '../../connect/connection.ts'
import type { TurnSettings } from '../../schema/model-in-use.ts'
import { beginWriting, requireModel, runWork } from '../../schema/transaction.ts'
import { postgres } from '../../sql/dialect.ts'
import { type ChangedThing, decideTurn, type Replay, type TurnDecision } from '../decide.ts'
import { readFacts } from '../facts.ts'
import { awaitParting } from '../part.ts'
import { COMMIT, FIND_WRITE, ROLLBACK } from '../try-turns.ts'
import { AWAIT_LINKS, AWAIT_TURNS, linkLocks, lockedBy } from '../turn-locks.ts'
import { BatchOutdated, type FactsByResource, newPart } from './batch-part.ts'
import {
  changesModel,
  concernsOthers,
  type ExpectedIntent,
  expectedIn,
  type KnownSubjects,
  partsOf,
  subjectsOf,
} from './expected-intents.ts'
import { writePart } from './write-part.ts'

/** One attempt to decide and write a batch in one transaction. */
export interface BatchTry {
  readonly batch: IntentBatch
  readonly known: KnownSubjects
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
  const { schema } = tried.settings
  const expected = await expectedIn(session, tried.batch, tried.known, schema)
  const model = { version: schema.version, isChanged: expected.some(changesModel) }
  try {
    const subjects = subjectsOf(expected, schema)
    const linked = lockedBy([linkLocks(expected.filter((each) => each !== undefined))])
    const [, , parting, found] = await beginWriting(
      session,
      () =>
        Promise.all([
          // Before those of things: a removal waits for the things that refer to its own.
          linked[0].length === 0 ? [] : query(AWAIT_LINKS, linked),
          query(AWAIT_TURNS, [subjects]),
          Promise.all(
            expected.filter(concernsOthers).map((each) => awaitParting(session, each.resource, each.subject)),
          ),
          Promise.all(
            [...lost].map(([id, { events }]) => query(FIND_WRITE, [String(events[0]?.event.thing.id), [id]])),
          ),
        ]),
      // The writes of a lost attempt hold, whatever the model is by now.
      lost.size > 0 ? { ...model, version: null } : model,
    )
    const kept = lost.get(String(found.flat()[0]?.[0]))
    if (kept === undefined && lost.size > 0) await requireModel(session, model)
    const decided = kept ?? (await decideAndWrite(session, tried, expected, new Set([...subjects, ...parting.flat()])))
    if (kept === undefined && decided.isKept) onDecided(decided)
    await query(kept === undefined && decided.isKept ? COMMIT : ROLLBACK)
    return decided
  } catch (cause) {
    await query(ROLLBACK).catch(() => {})
    throw cause
  }
}

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
  /** The schema that the earlier intents have left. */
  let { schema } = settings
  let conditions: readonly SharedCondition[] = []
  /** Adds a decision and those that it entails. */
  const take = (resource: Resource, decided: TurnDecision): void => {
    part.add(resource, decided)
    if (decided.after === undefined) return
    schema = schemaAfter(resource, decided.after)
    for (const intent of decided.after.entails ?? []) {
      const on: Resource = resourceNamed(schema, intent.resource)
      const turn = { asked: [{ intent, newId: '' }] }
      const next = decideTurn(on, turn, part.factsOf(on, intent.target as Key), now, settings)
      if (next.after === undefined) throw new Error('a change that another entails was refused')
      take(on, next)
    }
  }
  const order = inOrder(
    batch,
    settings.schema,
    (intent, index) => {
      const resource: Resource = resourceNamed(schema, intent.resource)
      const { subject } = expected[index] ?? {}
      const sought = idSought(intent, resource, part.factsOf(resource, undefined).idBy)
      const newId = tried.known.newIds.get(index)
      const decided = decideTurn(
        resource,
        { asked: [{ intent, newId: newId ?? subject ?? '' }] },
        {
          ...part.factsOf(resource, sought),
          ...(resource.shapes && { breaks: brokenBy(resource, conditions) }),
        },
        now,
        settings,
      )
      const [answer] = decided.answers
      if (answer === undefined) throw new Error('an intent was not answered')
      // It creates its thing after all, and no id is drawn for it. A replay creates none.
      const mayCreate = sought === undefined && isUpsert(intent) && !('replay' in answer)
      if (mayCreate && newId === undefined) throw new BatchOutdated({ index, subject: undefined })
      const found = 'kind' in answer && answer.kind === 'refused' ? sought : thingLeft(answer)
      // Neither its lock is ours nor its facts are known, and a later intent that names it would look for the other.
      if (found !== undefined && found !== subject) throw new BatchOutdated({ index, subject: found })
      take(resource, decided)
      return answer
    },
    thingLeft,
  )
  const answers: BatchDecision['answers'][number][] = []
  for (const [from, to] of partsOf(expected)) {
    const those = expected.slice(from, to)
    part = newPart(await factsFor(session, those, schema))
    conditions = those.some(changesModel) ? await runWork(session, sharedConditions(schema)) : []
    answers.push(...batch.intents.slice(from, to).map(order.decide))
    all.push(...part.events)
    // Decisions that are not kept are written only for later ones.
    if (to < expected.length || order.isKept()) await writePart(session, part, { ...tried, schema, locked })
  }
  if (schema !== settings.schema && order.isKept()) await session.query(MODEL, [schema.version, schema.changedAt])
  return { isKept: order.isKept(), answers, events: all }
}

/** The schema after a change, which may be one of the model. */
function schemaAfter(resource: Resource, { thing, removed }: ChangedThing): Schema {
  const { schema } = resource
  return resource.shapes === undefined
    ? schema
    : buildSchema(sourceAfter(sourceOf(schema), resource, thing, removed, thing.updatedAt))
}

const MODEL = statementIn(postgres, WRITE_MODEL)

const thingLeft = (answer: Outcome | Replay): Key | undefined => {
  if ('replay' in answer) return answer.replay.refusal === null ? answer.replay.subject : undefined
  return answer.kind === 'applied' ? answer.thing.id : undefined
}

async function factsFor(
  session: Session,
  expected: readonly (ExpectedIntent | undefined)[],
  schema: Schema,
): Promise<FactsByResource> {
  const byResource = Map.groupBy(
    expected.filter((each) => each !== undefined),
    ({ resource }) => resource,
  )
  return new Map(
    await Promise.all(
      [...byResource].map(async ([resource, those]) => {
        const asked = those.map(({ intent, subject }) => ({
          intent,
          target: intent.target === undefined ? undefined : subject,
        }))
        // As the earlier intents have left the model.
        const current: Resource = resourceNamed(schema, resource.name)
        const entailed = current.entails === undefined ? [] : idsInModel(current)
        return [resource.name, await readFacts(session, current, asked, entailed)] as const
      }),
    ),
  )
}

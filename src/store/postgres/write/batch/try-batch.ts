import type { IntentBatch } from '../../../../model/intent/batch.ts'
import { bind, together, type Work } from '../../../transactions/work.ts'
import { decideBatch } from '../../../transactions/write/decide-batch.ts'
import type { BatchDecision, DecidingSettings } from '../../../transactions/write/deciding.ts'
import type { WriteEngine } from '../../../transactions/write/engine.ts'
import { partingFrom } from '../../../transactions/write/partings.ts'
import type { Session } from '../../connect/connection.ts'
import { type ModelOfWrite, modelRequired, runWork, runWriting } from '../../schema/transaction.ts'
import { writeRows } from '../decided-rows.ts'
import { thingReader } from '../thing-reader.ts'
import { COMMIT, FIND_WRITE, ROLLBACK } from '../try-turns.ts'
import { AWAIT_LINKS, AWAIT_TURNS, awaitParting, linkLocks, lockedBy } from '../turn-locks.ts'
import {
  changesModel,
  concernsOthers,
  type ExpectedIntents,
  expectedIn,
  expectedSubjects,
  type KnownSubjects,
  partsOf,
  subjectsOf,
} from './expected-intents.ts'

/** One attempt to decide and write a batch in one transaction. */
export interface BatchTry {
  readonly batch: IntentBatch
  readonly known: KnownSubjects
  readonly writeId: string
  /** The decisions of earlier attempts whose fate is unknown, by the ids of their writes. */
  readonly lost: ReadonlyMap<string, BatchDecision>
  readonly settings: DecidingSettings
  /** Called before the commit. */
  readonly onDecided: (decided: BatchDecision) => void
}

/**
 * Takes the locks of all things at the beginning, in one order that all instances keep, and before the transaction gets
 * an id. A removal that affects other things reads the database after the earlier decisions were written.
 */
export async function tryBatch(session: Session, tried: BatchTry): Promise<BatchDecision> {
  const { batch, known, lost, onDecided } = tried
  const { schema } = tried.settings
  const expected = await runWork(session, expectedIn(batch, known, schema))
  const model = { version: schema.version, isChanged: expected.some(changesModel) }
  try {
    const work = lockAndDecide(tried, expected, model)
    // The writes of a lost attempt hold, whatever the model is by now.
    const { decided, isFound } = await runWriting(session, work, lost.size > 0 ? { ...model, version: null } : model)
    const isNew = decided.isKept && !isFound
    if (isNew) onDecided(decided)
    await session.query(isNew ? COMMIT : ROLLBACK)
    return decided
  } catch (cause) {
    await session.query(ROLLBACK).catch(() => {})
    throw cause
  }
}

/**
 * The decision, or that of a lost attempt which is found. The first facts are read in the round trip of the locks, by
 * statements that begin when the locks are ours.
 */
function* lockAndDecide(
  { batch, known, writeId, lost, settings }: BatchTry,
  expected: ExpectedIntents,
  model: ModelOfWrite,
): Work<{ readonly decided: BatchDecision; readonly isFound: boolean }> {
  const locks = new BatchLocks(expected, settings)
  const engine: WriteEngine = {
    things: thingReader,
    write: writeRows(writeId),
    lockParting: awaitParting,
    isLocked: (id) => locks.has(id),
  }
  const subjects = expectedSubjects(expected, known)
  const deciding = decideBatch(batch, { engine, settings, subjects, parts: partsOf(expected) })
  if (lost.size === 0) return { decided: (yield* together([locks.take(), deciding]))[1], isFound: false }
  const [, found] = yield* together([locks.take(), findLost(lost)])
  if (found !== undefined) return { decided: found, isFound: true }
  yield [modelRequired(model)]
  return { decided: yield* deciding, isFound: false }
}

function* findLost(lost: BatchTry['lost']): Work<BatchDecision | undefined> {
  const rows = yield [...lost].map(([id, { events }]) => bind(FIND_WRITE, String(events[0]?.event.thing.id), [id]))
  const [[id] = []] = rows.flat()
  return lost.get(String(id))
}

/** The locks of the things of a batch, and of those that refer to removed ones. */
class BatchLocks {
  readonly #expected: ExpectedIntents
  readonly #names: Set<string>

  constructor(expected: ExpectedIntents, { schema }: DecidingSettings) {
    this.#expected = expected
    this.#names = new Set(subjectsOf(expected, schema))
  }

  /** Waits for them. */
  *take(): Work<void> {
    const linked = lockedBy([linkLocks(this.#expected.filter((each) => each !== undefined))])
    // Before those of things: a removal waits for the things that refer to its own.
    const own = [...(linked[0].length === 0 ? [] : [bind(AWAIT_LINKS, ...linked)]), bind(AWAIT_TURNS, [...this.#names])]
    const parting = this.#expected
      .filter(concernsOthers)
      .flatMap(({ resource, subject }) => partingFrom(resource).map((each) => bind(awaitParting(each), subject)))
    const rows = yield [...own, ...parting]
    for (const [id] of rows.slice(own.length).flat()) this.#names.add(String(id))
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }
}

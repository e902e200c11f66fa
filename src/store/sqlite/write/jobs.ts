import type { DatabaseSync } from 'node:sqlite'
import type { Resource, Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { type IntentBatch, mayBeUndone } from '../../../model/intent/batch.ts'
import { buildSchema } from '../../../model/schema/build-schema.ts'
import { lastEvent, openedAt } from '../../rows/event.ts'
import type { Row } from '../../sql/statement.ts'
import { readWhenAsked } from '../../transactions/facts/known-facts.ts'
import { type NamedWork, namedWork } from '../../transactions/ports.ts'
import { ask, type BoundStatement, bind, type Work } from '../../transactions/work.ts'
import { decideBatch } from '../../transactions/write/decide-batch.ts'
import type { WriteEngine } from '../../transactions/write/engine.ts'
import { repeatOutcomes } from '../../transactions/write/replays.ts'
import { isDamage } from '../connect/faults.ts'
import { workRunner } from '../connect/statements.ts'
import { laterIndexing } from '../schema/search-index.ts'
import type { ModelRows } from '../schema/stored-model.ts'
import { sqlite } from '../sql/dialect.ts'
import { writeRows } from './decided-rows.ts'
import { NewIds } from './new-ids.ts'
import { type BatchRow, batchRow } from './outcome-row.ts'
import { sqliteWorks } from './sqlite-works.ts'
import { thingReader } from './thing-reader.ts'

export type Job =
  | { readonly kind: 'perform'; readonly batch: IntentBatch }
  | NamedWork
  /** Later jobs use this schema. */
  | { readonly kind: 'adopt'; readonly source: SchemaSource }

/** The writer's work under one schema, in its transaction. `model` is the stored one. */
export function jobsBy(schema: Schema, db: DatabaseSync, currency: string, model: ModelRows) {
  const works = sqliteWorks(schema)
  const runWork = workRunner(db)
  const ids = new NewIds(runWork)
  const settings = { schema, defaults: { currency }, opened: openedAt(readLastEvent(runWork)) }
  const facts = readWhenAsked(thingReader, runWork)
  const engine: WriteEngine = { things: thingReader, facts, write: writeRows }
  const subjects = { newId: (_index: number, resource: Resource) => ids.next(resource) }
  /** The schema after the jobs so far: a change of the model holds from the next intent on. */
  let left = schema

  /** Each intent is written before the next is decided. A batch that is not kept is undone: other jobs stay. */
  function* perform(batch: IntentBatch): Work<BatchRow> {
    const isUndoable = mayBeUndone(batch)
    if (isUndoable) yield [SAVEPOINT]
    const parts = batch.intents.map((_intent, at) => ({ from: at, to: at + 1, asked: [] }))
    const decision = yield* decideBatch(batch, { engine, settings, subjects, parts })
    const outcomes = yield* repeatOutcomes(sqlite, decision)
    const { isKept } = decision
    if (isKept && decision.schema !== schema) left = buildSchema(model.source())
    if (isUndoable) yield isKept ? [RELEASE] : [UNDO, RELEASE]
    return batchRow({ isKept, outcomes }, batch, schema)
  }

  return {
    schema,
    get left() {
      return left
    },
    indexing: laterIndexing(db, schema),
    /** At the beginning of a transaction. */
    begin: () => ids.begin(),
    run(job: Exclude<Job, { readonly kind: 'adopt' }>): unknown {
      if (job.kind === 'perform') return runWork(perform(job.batch))
      try {
        const done = runWork(namedWork(works, job))
        // A team or a role may have changed: the next job goes by that.
        if (job.kind === 'audited' && model.version() > left.version) left = buildSchema(model.source())
        return done
      } finally {
        ids.begin()
      }
    },
  }
}

const [SAVEPOINT, UNDO, RELEASE] = ['SAVEPOINT batch', 'ROLLBACK TO batch', 'RELEASE batch'].map((text) =>
  bind({ text }),
) as [BoundStatement, BoundStatement, BoundStatement]

/** A damaged page is reported to its reader; a start that only needs the time continues. */
function readLastEvent(run: ReturnType<typeof workRunner>): readonly Row[] {
  try {
    return run(ask(lastEvent))
  } catch (cause) {
    if (isDamage(cause)) return []
    throw cause
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { type IntentBatch, inOrder, mayBeUndone } from '../../../model/perform/batch.ts'
import type { Key } from '../../../model/resource.ts'
import type { Schema, SchemaSource } from '../../../model/schema.ts'
import type { Outcome } from '../../port/store.ts'
import { type NamedWork, namedWork } from '../../work/ports.ts'
import { workRunner } from '../connect/statements.ts'
import { laterIndexing } from '../schema/search-index.ts'
import { openDecider } from './decide.ts'
import { type BatchRow, batchRow } from './outcome-row.ts'
import { sqliteWorks } from './sqlite-works.ts'

export type Job =
  | { readonly kind: 'perform'; readonly batch: IntentBatch }
  | NamedWork
  /** Later jobs use this schema. */
  | { readonly kind: 'adopt'; readonly source: SchemaSource }

/** The writer's work under one schema, in its transaction. */
export function jobsBy(schema: Schema, db: DatabaseSync, currency: string) {
  const decide = openDecider(db, schema, { currency })
  const works = sqliteWorks(schema)
  const runWork = workRunner(db)

  /** A batch that is not kept is undone separately: other jobs of the transaction stay. */
  const perform = (batch: IntentBatch): BatchRow => {
    const isUndoable = mayBeUndone(batch)
    if (isUndoable) db.exec('SAVEPOINT batch')
    const order = inOrder(batch, schema, decide, thingOf)
    const outcomes = batch.intents.map(order.decide)
    const isKept = order.isKept()
    if (isUndoable && !isKept) db.exec('ROLLBACK TO batch')
    if (isUndoable) db.exec('RELEASE batch')
    return batchRow({ isKept, outcomes }, batch, schema)
  }

  return {
    indexing: laterIndexing(db, schema),
    run(job: Exclude<Job, { readonly kind: 'adopt' }>): unknown {
      if (job.kind === 'perform') return perform(job.batch)
      return runWork(namedWork(works, job))
    },
  }
}

const thingOf = (outcome: Outcome): Key | undefined => (outcome.kind === 'applied' ? outcome.thing.id : undefined)

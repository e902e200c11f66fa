import type { DatabaseSync } from 'node:sqlite'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { type IntentBatch, inOrder, mayBeUndone } from '../../../model/intent/batch.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import { buildSchema } from '../../../model/schema/build-schema.ts'
import { isOfModel } from '../../../model/schema/stored-model.ts'
import type { Outcome } from '../../port/store.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../../rows/own-indexes.ts'
import { type NamedWork, namedWork } from '../../work/ports.ts'
import { workRunner } from '../connect/statements.ts'
import { laterIndexing } from '../schema/search-index.ts'
import type { ModelRows } from '../schema/stored-model.ts'
import { Decider } from './decide.ts'
import { type BatchRow, batchRow } from './outcome-row.ts'
import { sqliteWorks } from './sqlite-works.ts'

export type Job =
  | { readonly kind: 'perform'; readonly batch: IntentBatch }
  | NamedWork
  /** Later jobs use this schema. */
  | { readonly kind: 'adopt'; readonly source: SchemaSource }

/** The writer's work under one schema, in its transaction. `model` is the stored one. */
export function jobsBy(schema: Schema, db: DatabaseSync, currency: string, model: ModelRows) {
  const decider = new Decider(db, schema, { currency })
  const works = sqliteWorks(schema)
  const runWork = workRunner(db)
  const keepIndex = db.prepare(KEEP_OWN_INDEX)
  /** The schema after the jobs so far: a change of the model holds from the next intent on. */
  let left = schema

  /** Decides by the schema that the earlier intents of the batch have left. */
  const inTurn = () => {
    let by = { schema, decider }
    return {
      decide(intent: Intent): Outcome {
        const { outcome, entails } = by.decider.decide(intent)
        if (!intent.dryRun && isOfModel(schema, intent.resource) && changesAnything(outcome)) {
          model.write(Math.max(model.version(), by.schema.version) + 1, outcome.thing.updatedAt)
          const next = buildSchema(model.source())
          // From the next intent on, which may set values.
          for (const index of ownIndexes(next)) keepIndex.run(...index)
          by = { schema: next, decider: new Decider(db, next, { currency }) }
        }
        if (!intent.dryRun) for (const each of entails) requireApplied(this.decide(each))
        return outcome
      },
      get left() {
        return by.schema
      },
    }
  }

  /** A batch that is not kept is undone separately: other jobs of the transaction stay. */
  const perform = (batch: IntentBatch): BatchRow => {
    const isUndoable = mayBeUndone(batch)
    if (isUndoable) db.exec('SAVEPOINT batch')
    const turn = inTurn()
    const order = inOrder(batch, schema, (intent) => turn.decide(intent), thingOf)
    const outcomes = batch.intents.map(order.decide)
    const isKept = order.isKept()
    if (isKept) left = turn.left
    if (isUndoable && !isKept) db.exec('ROLLBACK TO batch')
    if (isUndoable) db.exec('RELEASE batch')
    return batchRow({ isKept, outcomes }, batch, schema)
  }

  return {
    schema,
    get left() {
      return left
    },
    indexing: laterIndexing(db, schema),
    /** At the beginning of a transaction. */
    begin: () => decider.begin(),
    run(job: Exclude<Job, { readonly kind: 'adopt' }>): unknown {
      if (job.kind === 'perform') return perform(job.batch)
      try {
        return runWork(namedWork(works, job))
      } finally {
        decider.begin()
      }
    },
  }
}

/** A change that another entails is always allowed. */
function requireApplied(outcome: Outcome): void {
  if (outcome.kind !== 'applied') throw new Error('a change that another entails was refused')
}

const changesAnything = (outcome: Outcome): outcome is Extract<Outcome, { readonly kind: 'applied' }> =>
  outcome.kind === 'applied' && outcome.event !== undefined && !outcome.replayed

const thingOf = (outcome: Outcome): Key | undefined => (outcome.kind === 'applied' ? outcome.thing.id : undefined)

import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { IntentBatch } from '../../../model/intent/batch.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { idsInModel } from '../../../model/schema/stored-model.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../../rows/own-indexes.ts'
import { statementIn } from '../../sql/dialect.ts'
import type { Concerned } from '../facts/fact.ts'
import { type FactsOf, readAhead } from '../facts/known-facts.ts'
import { WRITE_MODEL } from '../model/stored-model.ts'
import { bind, together, type Work } from '../work.ts'
import { type BatchDecision, Deciding, type DecidingSettings, type Subjects } from './deciding.ts'
import type { Decision } from './decision.ts'
import type { WriteEngine } from './engine.ts'
import { BatchOutdated } from './outdated.ts'
import { mayPart, partedFrom } from './partings.ts'

/** Intents that are decided by one read of facts, and written before the next ones are decided. */
export interface Part {
  readonly from: number
  readonly to: number
  /** The things that they are about, as far as known before. */
  readonly asked: readonly Concerned[]
}

export interface BatchWriting {
  readonly engine: WriteEngine
  readonly settings: DecidingSettings
  readonly subjects: Subjects
  readonly parts: readonly Part[]
}

/**
 * Decides a batch and writes what it decides, in the caller's transaction: facts, decisions in order, rows. Decisions
 * that are not kept are written only for later ones, and undone by the caller. decisions/0071
 */
export function* decideBatch(batch: IntentBatch, writing: BatchWriting): Work<BatchDecision> {
  const { engine, settings, subjects, parts } = writing
  const deciding = new Deciding(batch, subjects, settings)
  let indexed = settings.schema
  for (const { from, to, asked } of parts) {
    const facts = engine.facts ?? (yield* readFacts(engine, asked, deciding.schema))
    deciding.decide(from, to, facts, new Date().toISOString())
    if (to === batch.intents.length && !deciding.isKept) break
    // The values of a field that the same batch has added are in its index, too.
    const indexes = deciding.schema === indexed ? [] : ownIndexes(deciding.schema)
    indexed = deciding.schema
    yield* writeDecided(engine, deciding, indexes)
  }
  const { decision } = deciding
  if (decision.isKept && decision.schema !== settings.schema) {
    const { version, changedAt } = decision.schema
    yield [bind(statementIn(engine.things.dialect, WRITE_MODEL), version, changedAt)]
  }
  return decision
}

/** By the model that the earlier intents have left. */
function* readFacts({ things }: WriteEngine, asked: readonly Concerned[], schema: Schema): Work<FactsOf> {
  const now = asked.map((each) => ({ ...each, resource: resourceNamed(schema, each.resource.name) as Resource }))
  return yield* readAhead(things, now, entailed)
}

const entailed = (resource: Resource): readonly Key[] => (resource.entails === undefined ? [] : idsInModel(resource))

/** Throws `BatchOutdated` if another writer was faster. */
function* writeDecided(
  engine: WriteEngine,
  { decided: { decisions, events }, opened }: Deciding,
  indexes: ReturnType<typeof ownIndexes>,
): Work<void> {
  if (decisions.length === 0) return
  const removals = decisions.filter(mayPart)
  const parted = removals.length === 0 ? [] : yield* together(removals.map((each) => partedFrom(engine, each, opened)))
  const first = indexes.map((index) => bind(statementIn(engine.things.dialect, { text: KEEP_OWN_INDEX }), ...index))
  const written = yield* engine.write({ first, parted: parted.flat(), decisions, events })
  if (written !== undefined && !decisions.every((each) => isWritten(each, written))) throw new BatchOutdated()
}

/** A thing that was created and removed leaves only its events. */
export const leavesRow = ({ before, after }: Decision): boolean => before !== undefined || after?.removed === false

const isWritten = (decision: Decision, written: ReadonlySet<string>): boolean =>
  !leavesRow(decision) || written.has(String(decision.before?.thing.id ?? decision.after?.thing.id))

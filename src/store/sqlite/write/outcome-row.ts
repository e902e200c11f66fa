import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { IntentBatch } from '../../../model/intent/batch.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { Stored } from '../../port/desk.ts'
import type { BatchOutcome, Outcome } from '../../port/store.ts'
import { storedNames } from '../../rows/things.ts'

/** The outcome of a batch in a message of the writer thread: whether it is kept, then each outcome. */
export type BatchRow = readonly [isKept: boolean, ...OutcomeRow[]]

/** Of a usual change only the values, in one flat row. */
type OutcomeRow = AnyOutcome | readonly unknown[]
type AnyOutcome = BatchOutcome<Outcome>['outcomes'][number]

/** Copying objects between threads takes four times as long as copying a row, because every name is copied. */
export const batchRow = (
  { isKept, outcomes }: BatchOutcome<Outcome>,
  { intents }: Pick<IntentBatch, 'intents'>,
  schema: Schema,
): BatchRow => [isKept, ...outcomes.map((outcome, at) => outcomeRow(outcome, resourceOf(intents[at], schema)))]

export function readBatchRow(
  [isKept, ...rows]: BatchRow,
  { intents }: Pick<IntentBatch, 'intents'>,
  schema: Schema,
): BatchOutcome<Outcome> {
  return { isKept, outcomes: rows.map((row, at) => readOutcome(row, resourceOf(intents[at], schema))) }
}

const resourceOf = (intent: IntentBatch['intents'][number] | undefined, schema: Schema): Resource | undefined =>
  intent === undefined || intent === 'refused' ? undefined : resourceNamed(schema, intent.resource)

function outcomeRow(outcome: AnyOutcome, resource: Resource | undefined): OutcomeRow {
  if (outcome.kind !== 'applied' || outcome.command !== undefined || outcome.replayed || outcome.made) return outcome
  const { thing, removed, event } = outcome
  if (event === undefined || resource === undefined) return outcome
  const { revision, operation, at, entry, doc } = event
  // Most events result in the answered thing, which is then sent once.
  const left = doc === thing.json ? null : doc
  const values = storedNames(resource).map((name) => thing[name])
  return [removed, thing.json, revision, operation, at, entry, left, ...values]
}

function readOutcome(row: OutcomeRow, resource: Resource | undefined): AnyOutcome {
  if (!isRow(row) || resource === undefined) return row as AnyOutcome
  const [removed, json, revision, operation, at, entry, left, ...values] = row as UsualRow
  const thing: Record<string, unknown> = {}
  storedNames(resource).forEach((name, nth) => {
    thing[name] = values[nth]
  })
  thing.json = json
  return {
    kind: 'applied',
    thing: thing as unknown as Stored,
    removed,
    made: false,
    event: { revision, operation, at, entry, doc: left ?? json },
    command: undefined,
    replayed: false,
  }
}

type UsualRow = readonly [boolean, string, number, string, string, string, string | null, ...unknown[]]

const isRow = (row: OutcomeRow): row is readonly unknown[] => Array.isArray(row)

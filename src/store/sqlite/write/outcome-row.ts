import type { Resource } from '../../../model/schema.ts'
import type { Stored } from '../../port/desk.ts'
import type { Outcome } from '../../port/store.ts'
import { storedNames } from '../../rows/things.ts'

/** An outcome on its way from the writer's thread: of a usual change only the values, in one flat row. */
export type OutcomeRow = Outcome | readonly unknown[]

/** Copying objects between threads takes four times as long as copying a row: every name goes along. */
export function outcomeRow(outcome: Outcome, resource: Resource): OutcomeRow {
  if (outcome.kind !== 'applied' || outcome.command !== undefined || outcome.replayed) return outcome
  const { thing, removed, event } = outcome
  if (event === undefined) return outcome
  const { revision, operation, at, entry, doc } = event
  // Most events leave behind the thing that is answered, which then goes once.
  const left = doc === thing.json ? null : doc
  const values = storedNames(resource).map((name) => thing[name])
  return [removed, thing.json, revision, operation, at, entry, left, ...values]
}

export function readOutcome(row: OutcomeRow, resource: Resource): Outcome {
  if (!isRow(row)) return row
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
    event: { revision, operation, at, entry, doc: left ?? json },
    command: undefined,
    replayed: false,
  }
}

type UsualRow = readonly [boolean, string, number, string, string, string, string | null, ...unknown[]]

const isRow = (row: OutcomeRow): row is readonly unknown[] => Array.isArray(row)

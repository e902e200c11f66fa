import type { Applied } from '../../../http/contract/write.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { answerBounds } from '../../../values/bounds.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../../door.ts'
import { writtenHeaders } from '../../kit/tags.ts'
import type { RowsUse } from '../asked/asked-rows.ts'
import { refused } from '../errors.ts'
import type { Preferences } from '../preferences.ts'
import { type AnsweredRows, answerRows, appliedHeader, readTableRequest, type TableRequest } from './answer-rows.ts'

/** A request that writes to the table of a resource. */
export interface RowWriting extends TableRequest {
  readonly resource: Resource
}

/** Milliseconds after which rows that others keep changing are not looked at again. */
export const LONGEST = 12_000

export const nowhere = { target: '', action: '', params: '' }

export function readRowWriting(
  resource: Resource,
  use: RowsUse,
  call: DoorCall,
): RowWriting | { readonly refused: DoorResult } {
  const request = readTableRequest(collectionOf(resource), use, call)
  return 'refused' in request ? request : { ...request, resource }
}

/** Whether all of them were decided before. */
export const areReplayed = (applied: readonly Applied[]): boolean =>
  applied.length > 0 && applied.every(({ outcome }) => outcome.replayed)

/** The rows after a write that its caller still sees. */
export const rowsSeen = (applied: readonly Applied[]): readonly string[] =>
  applied.flatMap(({ outcome, isOutOfSight }) => (isOutOfSight ? [] : [outcome.thing.json]))

export function tooMany(count: number, { mostAffected }: Preferences): DoorAnswer | undefined {
  const most = Math.min(mostAffected ?? answerBounds.page, answerBounds.page)
  if (count <= most) return undefined
  const message =
    most === mostAffected
      ? 'Query result exceeds max-affected preference constraint'
      : `More than ${answerBounds.page} rows cannot be written at once`
  const details =
    count > answerBounds.page
      ? `The query affects more than ${answerBounds.page} rows`
      : `The query affects ${count} rows`
  return refused({ status: 400, code: 'PGRST124', message, details })
}

export const rangeHeader = (span: string, rows: readonly string[], { preferences }: RowWriting) => ({
  'content-range': `${span}/${preferences.counts ? rows.length : '*'}`,
})

/** The written rows, if they are requested. */
export function answerWritten(
  rows: readonly string[],
  written: RowWriting & AnsweredRows & { readonly replayed: boolean },
  call: DoorCall,
): Promise<DoorAnswer> | DoorAnswer {
  const { preferences, status } = written
  const headers = { ...written.headers, ...writtenHeaders({ dryRun: preferences.rollsBack }, written) }
  if (preferences.returns !== 'representation') {
    return { status, headers: { ...headers, ...appliedHeader(preferences) } }
  }
  const untagged = written.untagged || preferences.rollsBack || written.replayed
  return answerRows(rows, { ...written, headers, untagged }, call)
}

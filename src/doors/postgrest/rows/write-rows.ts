import { headerProblem, type Problem } from '../../../http/contract/problems/problem.ts'
import type { Applied, Write } from '../../../http/contract/write.ts'
import { readJson } from '../../../http/request/body.ts'
import { apply, forbids } from '../../../http/write/write.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { deletionOf } from '../../../model/schema/resources.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { leavesOf } from '../../../queries/query.ts'
import { StoreUnavailable } from '../../../store/port/store.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { readNumbersRaw } from '../../../values/json/read-numbers-raw.ts'
import { unpacked } from '../../../values/json/texts.ts'
import { memberIn } from '../../../values/members.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../../door.ts'
import { writtenHeaders } from '../../kit/tags.ts'
import { type AskedRows, idIn, type RowsUse } from '../asked/asked-rows.ts'
import { refused } from '../errors.ts'
import type { Preferences } from '../preferences.ts'
import {
  type AnsweredRows,
  answerRows,
  appliedHeader,
  readTableRequest,
  singularFault,
  type TableRequest,
} from './answer-rows.ts'
import { changeTogether } from './change-together.ts'
import { insertedRows, leftOutWord } from './inserted-rows.ts'
import { readPlace } from './read-rows.ts'

/** A request that writes to the table of a resource. */
interface RowWriting extends TableRequest {
  readonly resource: Resource
}

/** POST /postgrest/deals */
export async function insertRows(resource: Resource, call: DoorCall): Promise<DoorResult> {
  const writing = readRowWriting(resource, 'insert', call)
  if ('refused' in writing) return writing.refused
  const { asked, preferences, format } = writing
  const body = readJson(call.bytes)
  if ('problem' in body) return body
  const read = insertedRows(resource, body.body, asked.columns, preferences)
  if ('refused' in read) return read.refused
  const { creations, isList } = read
  const fault = singularFault(format, creations.length) ?? tooMany(creations.length, preferences)
  if (fault !== undefined) return fault
  const { rollsBack: dryRun } = preferences
  const writes = creations.map((made): Write => ({ resource: resource.name, ...made, pointers: nowhere, dryRun }))
  const done = await changeTogether(writes, call, isList)
  if ('problem' in done) return done
  const rows = done.map(({ outcome }) => outcome.thing.json)
  const [only, ...others] = done
  const location =
    preferences.returns === 'headers-only' && only !== undefined && others.length === 0 && !preferences.rollsBack
      ? { location: `${call.service.addresses.base}${call.path}?id=eq.${only.outcome.thing.id}` }
      : {}
  const headers = { ...rangeHeader('*', rows, writing), ...location }
  return answerWritten(rows, { ...writing, status: 201, headers, replayed: areReplayed(done) }, call)
}

/** PATCH /postgrest/deals?id=eq.… */
export async function updateRows(resource: Resource, call: DoorCall): Promise<DoorResult> {
  const writing = readRowWriting(resource, 'update', call)
  if ('refused' in writing) return writing.refused
  const { columns } = writing.asked
  const body = readJson(call.bytes)
  if ('problem' in body) return body
  if (!isObject(body.body)) return refused({ status: 400, code: 'PGRST102', message: 'The body must be a JSON object' })
  const misplaced = leftOutWord(body.body, columns)
  if (misplaced !== undefined) return misplaced
  const sent = Object.entries(body.body).filter(([name]) => columns?.includes(name) ?? true)
  return changeFound(writing, { attributes: Object.fromEntries(sent) }, call)
}

/** DELETE /postgrest/deals?id=eq.… */
export async function deleteRows(resource: Resource, call: DoorCall): Promise<DoorResult> {
  const writing = readRowWriting(resource, 'delete', call)
  if ('refused' in writing) return writing.refused
  return changeFound(writing, { action: deletionOf(resource).words.action, params: {} }, call)
}

const nowhere = { target: '', action: '', params: '' }

function readRowWriting(
  resource: Resource,
  use: RowsUse,
  call: DoorCall,
): RowWriting | { readonly refused: DoorResult } {
  const request = readTableRequest(collectionOf(resource), use, call)
  return 'refused' in request ? request : { ...request, resource }
}

/** Milliseconds after which rows that others keep changing are not searched again. */
const LONGEST = 12_000

/**
 * Changes every row that the filter matches, or none. The fields in the filter must still have the same values when the
 * change is decided: other changes in between do not matter. Otherwise rows are searched again. decisions/0040
 */
async function changeFound(writing: RowWriting, change: Write['change'], call: DoorCall): Promise<DoorResult> {
  const { resource, asked, preferences, format } = writing
  const denied = forbids({ resource: resource.name, change }, call)
  if (denied !== undefined) return { problem: denied }
  if (asked.conditions.length === 0) return noFilter(call)
  if (call.around.key !== undefined) return changeNamed(writing, change, call)
  const fields = fieldsLookedAt(asked)
  for (const until = performance.now() + LONGEST; ; ) {
    const all = { offset: 0, limit: answerBounds.page, counts: false }
    const found = await readPlace(writing.collection, asked, all, call)
    if ('problem' in found) return found
    const { hasMore } = found.page
    const items = unpacked(found.page.items)
    const fault =
      tooMany(hasMore ? answerBounds.page + 1 : items.length, preferences) ?? singularFault(format, items.length)
    if (fault !== undefined) return fault
    const writes = items.map((json): Write => {
      const row = readNumbersRaw(json) as object
      const seen = Object.fromEntries(fields.map((field) => [field, JSON.stringify(memberIn(row, field))]))
      const target = (JSON.parse(json) as { readonly id: unknown }).id
      return { resource: resource.name, change, target, pointers: nowhere, seen, dryRun: preferences.rollsBack }
    })
    const done = await changeTogether(writes, call)
    if ('problem' in done) {
      if (isGone(done.problem, resource)) {
        if (performance.now() < until) continue
        throw new StoreUnavailable('too many are changing these rows at once', 1)
      }
      if (items.length === 1) return done
      // The tag of one row would stand for all of them.
      const { current: _, ...problem } = done.problem
      return { problem }
    }
    const rows = 'attributes' in change ? done.map(({ outcome }) => outcome.thing.json) : items
    return answerChanged(rows, areReplayed(done), writing, change, call)
  }
}

/** A row's fields that decide whether the filter matches it. Its id never changes. */
const fieldsLookedAt = ({ conditions }: AskedRows): readonly string[] => [
  ...new Set(leavesOf(conditions).map(({ field }) => field.through?.reference ?? field.name)),
]

/**
 * Changes the row that the filter names by its id, once under a key. It is not searched: a repeat must not depend on
 * what a filter finds by then, so a key with any other filter is refused. decisions/0040
 */
async function changeNamed(writing: RowWriting, change: Write['change'], call: DoorCall): Promise<DoorResult> {
  const { resource, asked, preferences, format } = writing
  const target = asked.conditions.length === 1 ? idIn(asked.conditions) : undefined
  if (target === undefined)
    return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'one-row' })) }
  const fault = tooMany(1, preferences)
  if (fault !== undefined) return fault
  const { rollsBack: dryRun } = preferences
  const done = await apply({ resource: resource.name, target, change, pointers: nowhere, dryRun }, call)
  if ('outcome' in done) {
    const { thing, removed, replayed } = done.outcome
    // A repeat knows nothing more of a permanently removed row.
    return answerChanged([removed ? JSON.stringify({ id: thing.id }) : thing.json], replayed, writing, change, call)
  }
  if (!isGone(done.problem, resource)) return done
  return singularFault(format, 0) ?? answerChanged([], false, writing, change, call)
}

function answerChanged(
  rows: readonly string[],
  replayed: boolean,
  writing: RowWriting,
  change: Write['change'],
  call: DoorCall,
): Promise<DoorAnswer> | DoorAnswer {
  const deletes = !('attributes' in change)
  const span = rows.length === 0 || deletes ? '*' : `0-${rows.length - 1}`
  const status = writing.preferences.returns === 'representation' ? 200 : 204
  const headers = rangeHeader(span, rows, writing)
  return answerWritten(rows, { ...writing, status, headers, replayed, untagged: deletes }, call)
}

/** Whether all of them were decided before. */
const areReplayed = (applied: readonly Applied[]): boolean =>
  applied.length > 0 && applied.every(({ outcome }) => outcome.replayed)

const isGone = ({ code }: Problem, { name }: Resource): boolean =>
  code === `${name}-not-found` || code === `${name}-deleted`

const noFilter = ({ method }: DoorCall): DoorAnswer =>
  refused({
    status: 400,
    code: '21000',
    message: `${method === 'DELETE' ? 'DELETE' : 'UPDATE'} requires a WHERE clause`,
    hint: 'Say which rows are meant, such as id=eq.7.',
  })

function tooMany(count: number, { mostAffected }: Preferences): DoorAnswer | undefined {
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

const rangeHeader = (span: string, rows: readonly string[], { preferences }: RowWriting) => ({
  'content-range': `${span}/${preferences.counts ? rows.length : '*'}`,
})

/** The written rows, if they are requested. */
function answerWritten(
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

import { headerProblem, type Problem } from '../../../http/contract/problems/problem.ts'
import type { Write } from '../../../http/contract/write.ts'
import { readJson } from '../../../http/request/body.ts'
import { apply, forbids } from '../../../http/write/write.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { deletionOf } from '../../../model/schema/resources.ts'
import { leavesOf } from '../../../queries/query.ts'
import { StoreUnavailable } from '../../../store/port/store.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { readNumbersRaw } from '../../../values/json/read-numbers-raw.ts'
import { unpacked } from '../../../values/json/texts.ts'
import { memberIn } from '../../../values/members.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../../door.ts'
import { type AskedRows, idIn } from '../asked/asked-rows.ts'
import { refused } from '../errors.ts'
import { singularFault } from './answer-rows.ts'
import { changeTogether } from './change-together.ts'
import { withInner } from './inner-rows.ts'
import { leftOutWord } from './inserted-rows.ts'
import { readPlace } from './read-rows.ts'
import {
  answerWritten,
  areReplayed,
  LONGEST,
  nowhere,
  type RowWriting,
  rangeHeader,
  readRowWriting,
  rowsSeen,
  tooMany,
} from './written-rows.ts'

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

/**
 * Changes every row that the filter matches, or none. The fields in the filter must still have the same values when the
 * change is decided: other changes in between do not matter. Otherwise rows are searched again. decisions/0040
 */
async function changeFound(writing: RowWriting, change: Write['change'], call: DoorCall): Promise<DoorResult> {
  const { resource, preferences, format } = writing
  const denied = forbids({ resource: resource.name, change }, call)
  if (denied !== undefined) return { problem: denied }
  const asked = await withInner(writing.collection, writing.asked, call)
  if ('problem' in asked) return asked
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
    const rows = 'attributes' in change ? rowsSeen(done) : items
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
    if (done.isOutOfSight) return answerChanged([], replayed, writing, change, call)
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

const isGone = ({ code }: Problem, { name }: Resource): boolean =>
  code === `${name}-not-found` || code === `${name}-deleted`

const noFilter = ({ method }: DoorCall): DoorAnswer =>
  refused({
    status: 400,
    code: '21000',
    message: `${method === 'DELETE' ? 'DELETE' : 'UPDATE'} requires a WHERE clause`,
    hint: 'Say which rows are meant, such as id=eq.7.',
  })

import { keyNamed, keyOf } from '../../../http/ask/find.ts'
import { headerProblem, type RefusedCall } from '../../../http/contract/problems/problem.ts'
import type { Applied, Write } from '../../../http/contract/write.ts'
import { readJson } from '../../../http/request/body.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { StoreUnavailable } from '../../../store/port/store.ts'
import { reason } from '../../../values/faults/fault.ts'
import { memberIn } from '../../../values/members.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../../door.ts'
import { eqIn } from '../asked/asked-rows.ts'
import { refused } from '../errors.ts'
import { singularFault } from './answer-rows.ts'
import { changeTogether } from './change-together.ts'
import { type InsertedThing, insertedRows } from './inserted-rows.ts'
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

/** POST /postgrest/deals: an insert, or an upsert by the preference `resolution`. */
export async function insertRows(resource: Resource, call: DoorCall): Promise<DoorResult> {
  const writing = readRowWriting(resource, 'insert', call)
  if ('refused' in writing) return writing.refused
  const { asked, preferences, format } = writing
  const { resolution } = preferences
  const body = readJson(call.bytes)
  if ('problem' in body) return body
  const read = insertedRows(resource, body.body, asked.columns, preferences)
  if ('refused' in read) return read.refused
  const { creations, isList } = read
  const fault = singularFault(format, creations.length) ?? tooMany(creations.length, preferences)
  if (fault !== undefined) return fault
  const column = resolution === undefined ? undefined : conflictColumn(resource, asked.onConflict)
  if (typeof column === 'object') return column
  const rows = creations.map((made, index): SentRow => ({ ...made, place: isList ? `/${index}` : '' }))
  if (column === undefined) return inserted(await createRows(rows, writing, call), writing, call)
  const repeated = repeatedValue(rows, column)
  if (repeated !== undefined) return repeated
  if (resolution === 'merge-duplicates') return inserted(await mergeRows(rows, column, writing, call), writing, call)
  return inserted(await createMissing(rows, column, writing, call), writing, call)
}

/** PUT /postgrest/deals?reference=eq.A-0004: one row, which is made if there is none. */
export async function putRow(resource: Resource, call: DoorCall): Promise<DoorResult> {
  const writing = readRowWriting(resource, 'put', call)
  if ('refused' in writing) return writing.refused
  const { asked, preferences } = writing
  const key = eqIn(asked.conditions)
  if (key === undefined || !keysOf(resource).includes(key.field))
    return refused({
      status: 405,
      code: 'PGRST105',
      message: "Filters must include all and only primary key columns with 'eq' operators",
      hint: `Name the row by ${keysOf(resource).join(' or ')}.`,
    })
  const body = readJson(call.bytes)
  if ('problem' in body) return body
  const read = insertedRows(resource, body.body, asked.columns, preferences)
  if ('refused' in read) return read.refused
  const [only, ...others] = read.creations
  if (only === undefined || others.length > 0)
    return refused({ status: 400, code: 'PGRST102', message: 'The body must be a single row' })
  if (String(memberIn(only.sent, key.field)) !== String(resource.kinds[key.field]?.write(key.value)))
    return refused({
      status: 400,
      code: 'PGRST115',
      message: 'Payload values do not match URL in primary key column(s)',
    })
  const row = { ...only, place: read.isList ? '/0' : '' }
  const done = await mergeRows([row], key.field, writing, call)
  if ('problem' in done) return done
  const isMade = done.some(wasMade)
  const status = isMade ? 201 : preferences.returns === 'representation' ? 200 : 204
  return answerInserted(done, status, writing, call)
}

interface SentRow extends InsertedThing {
  /** A pointer to it in the body. */
  readonly place: string
}

type DoneRows = readonly Applied[] | RefusedCall

/** The columns that name a row. */
const keysOf = ({ uniques }: Resource): readonly string[] => ['id', ...uniques]

/** The column by which the rows are compared with those that are there. */
function conflictColumn(resource: Resource, onConflict = 'id'): string | DoorAnswer {
  return keysOf(resource).includes(onConflict)
    ? onConflict
    : refused({
        status: 400,
        code: '42P10',
        message: 'There is no unique or exclusion constraint matching the ON CONFLICT specification',
        hint: `Rows are unique by ${keysOf(resource).join(', ')}.`,
      })
}

function repeatedValue(rows: readonly SentRow[], column: string): DoorAnswer | undefined {
  const values = rows.map(({ sent }) => memberIn(sent, column) ?? null).filter((value) => value !== null)
  if (new Set(values.map(String)).size === values.length) return undefined
  return refused({
    status: 400,
    code: '21000',
    message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
    hint: 'No rows of one command may have the same value.',
  })
}

const createRows = (rows: readonly SentRow[], writing: RowWriting, call: DoorCall): Promise<DoneRows> =>
  written(
    rows.map(({ change, sent, place }) => ({ change, sent, place })),
    writing,
    call,
  )

/** Each row changes the one that has its value, or is made. As in SQL, null is equal to nothing. */
const mergeRows = (rows: readonly SentRow[], column: string, writing: RowWriting, call: DoorCall): Promise<DoneRows> =>
  written(
    rows.map(({ change, attributes, sent, place }) => {
      const value = memberIn(sent, column) ?? null
      if (value === null) return { change, sent, place }
      const isId = column === 'id'
      return {
        target: isId ? value : { [column]: value },
        change: { attributes, ...(!isId && { makes: true }) },
        sent,
        place,
      }
    }),
    writing,
    call,
  )

/**
 * Makes the rows whose values nothing has. Of two clients that make one at once, the other finds it at its next look;
 * a value that stays taken without being seen is refused.
 */
async function createMissing(
  rows: readonly SentRow[],
  column: string,
  writing: RowWriting,
  call: DoorCall,
): Promise<DoneRows> {
  if (call.around.key !== undefined)
    return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'one-row' })) }
  let missing = await missingRows(rows, column, writing, call)
  for (const until = performance.now() + LONGEST; ; ) {
    const done = await createRows(missing, writing, call)
    if (!('problem' in done) || done.problem.code !== 'not-unique') return done
    const still = await missingRows(missing, column, writing, call)
    if (still.length === missing.length) return done
    if (performance.now() > until) throw new StoreUnavailable('too many are making these rows at once', 1)
    missing = still
  }
}

async function missingRows(
  rows: readonly SentRow[],
  column: string,
  { resource }: RowWriting,
  { desk }: DoorCall,
): Promise<readonly SentRow[]> {
  const missing: SentRow[] = []
  for (const row of rows) {
    const value = memberIn(row.sent, column) ?? null
    const id = column === 'id' ? keyOf(resource, value) : undefined
    const isThere =
      value !== null &&
      (column === 'id'
        ? id !== undefined && (await desk.find(resource, id)) !== undefined
        : (await keyNamed(resource, { [column]: value }, desk)) !== undefined)
    if (!isThere) missing.push(row)
  }
  return missing
}

function written(
  rows: readonly (Pick<Write, 'target' | 'change' | 'sent'> & { readonly place: string })[],
  { resource, preferences: { rollsBack: dryRun } }: RowWriting,
  call: DoorCall,
): Promise<DoneRows> {
  const writes = rows.map(
    ({ place: _, ...row }): Write => ({ resource: resource.name, ...row, pointers: nowhere, dryRun }),
  )
  return changeTogether(
    writes,
    call,
    rows.map(({ place }) => place),
  )
}

const wasMade = ({ intent, outcome }: Applied): boolean => intent.target === undefined || outcome.made

const inserted = (done: DoneRows, writing: RowWriting, call: DoorCall): Promise<DoorResult> | DoorResult =>
  'problem' in done
    ? done
    : answerInserted(
        done,
        writing.preferences.resolution === undefined || done.some(wasMade) ? 201 : 200,
        writing,
        call,
      )

function answerInserted(
  done: readonly Applied[],
  status: number,
  writing: RowWriting,
  call: DoorCall,
): Promise<DoorResult> | DoorResult {
  const { preferences } = writing
  const rows = rowsSeen(done)
  const [only, ...others] = done
  const location =
    preferences.returns === 'headers-only' &&
    only !== undefined &&
    rows.length === 1 &&
    others.length === 0 &&
    !preferences.rollsBack
      ? { location: `${call.service.addresses.base}${call.path}?id=eq.${only.outcome.thing.id}` }
      : {}
  const headers = { ...rangeHeader('*', rows, writing), ...location }
  return answerWritten(rows, { ...writing, status, headers, replayed: areReplayed(done) }, call)
}

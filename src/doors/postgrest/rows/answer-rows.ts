import type { Headers } from '../../../http/contract/answer.ts'
import { header } from '../../../http/contract/endpoint.ts'
import { faultsProblem, type RefusedCall } from '../../../http/contract/problems/problem.ts'
import { preferredType } from '../../../http/negotiate/accept.ts'
import type { Collection } from '../../../queries/collection.ts'
import { csv, csvRows, csvTable } from '../../../representations/csv.ts'
import { itemsOf, readDocument } from '../../../representations/read-document.ts'
import { mapInTurns } from '../../../store/port/take-turns.ts'
import { readNumbersRaw } from '../../../values/json/read-numbers-raw.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../../door.ts'
import { contentTag } from '../../kit/tags.ts'
import { type AskedRows, type RowsUse, readAskedRows } from '../asked/asked-rows.ts'
import { embeddingsIn } from '../asked/select.ts'
import { JSON_TYPE, refused } from '../errors.ts'
import { type Preferences, readPreferences } from '../preferences.ts'
import { shownNames, showRows } from './show-rows.ts'

/** How rows are written. */
export interface RowFormat {
  readonly as: 'array' | 'object' | 'csv'
  /** Whether members without a value are left out. */
  readonly strips: boolean
}

const OBJECT = 'application/vnd.pgrst.object+json'
const types = {
  'application/json': 'array',
  'application/vnd.pgrst.array+json': 'array',
  [OBJECT]: 'object',
  'text/csv': 'csv',
} as const

/** The format in Accept. */
function formatFor(call: Pick<DoorCall, 'headers'>): RowFormat | RefusedCall {
  const accept = header(call, 'accept') ?? ''
  const names = Object.keys(types) as [keyof typeof types]
  const type = preferredType(accept, names)
  if (type === undefined) {
    return { problem: { code: 'not-acceptable', detail: `This can be sent as ${names.join(', ')}.` } }
  }
  return { as: types[type], strips: types[type] !== 'csv' && /;\s*nulls=stripped/i.test(accept) }
}

/** The refusal if the number of rows is not one, as an object requires. */
export const singularFault = ({ as }: RowFormat, count: number): DoorAnswer | undefined =>
  as !== 'object' || count === 1
    ? undefined
    : refused({
        status: 406,
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: `The result contains ${count} rows`,
      })

/** The parsed address and headers of a request to a table or a function. */
export interface TableRequest {
  readonly collection: Collection
  readonly asked: AskedRows
  readonly format: RowFormat
  readonly preferences: Preferences
}

export function readTableRequest(
  collection: Collection,
  use: RowsUse,
  call: DoorCall,
): TableRequest | { readonly refused: DoorResult } {
  const format = formatFor(call)
  if ('problem' in format) return { refused: format }
  const preferences = readPreferences(call, use)
  if ('answer' in preferences) return { refused: preferences.answer }
  const asked = readAskedRows(collection, call.query.parameters, use)
  if ('faults' in asked) return { refused: { problem: faultsProblem(call.query, asked.faults) } }
  return { collection, asked, format, preferences }
}

export interface AnsweredRows extends TableRequest {
  readonly status: number
  readonly headers?: Headers
  /** Set if the rows may be in another state than the stored one, or differ at the next request. */
  readonly untagged?: boolean
}

/** Rows in the requested format. */
export async function answerRows(rows: readonly string[], answer: AnsweredRows, call: DoorCall): Promise<DoorAnswer> {
  const { collection, format, preferences, status } = answer
  const { members } = answer.asked
  const whole = await showRows(rows, members, call)
  const shown = format.strips ? await mapInTurns(whole, withoutNulls) : whole
  const headers = { ...answer.headers, ...appliedHeader(preferences), ...tagOf(rows, shown, answer, call) }
  if (format.as === 'csv') {
    const names = shownNames(members, collection)
    const lines = await mapInTurns(shown, (json) => csvRows(itemsOf([readDocument(json)]), names))
    return { status, headers, content: csvTable([], names) + lines.join(''), contentType: csv.contentType }
  }
  if (format.as === 'array') return { status, headers, content: `[${shown.join()}]`, contentType: JSON_TYPE }
  return { status, headers, content: shown[0] ?? 'null', contentType: `${OBJECT}; charset=utf-8` }
}

const withoutNulls = (json: string): string =>
  JSON.stringify(readNumbersRaw(json), (_, value) => (value === null ? undefined : value))

export const appliedHeader = ({ applied }: Preferences): Headers =>
  applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') }

/** A single row has the tag of its thing, unless it shows others too. */
function tagOf(
  [only]: readonly string[],
  [content = '']: readonly string[],
  { asked, format, untagged }: AnsweredRows,
  call: DoorCall,
): Headers {
  if (format.as !== 'object' || untagged || only === undefined || embeddingsIn(asked.members).length > 0) return {}
  return { etag: contentTag(stateOf(only), content, call, format.strips ? 'nulls=stripped' : 'json') }
}

/** The state that a row shows. */
export function stateOf(json: string): { readonly revision: number; readonly updatedAt: string } {
  const { revision, updatedAt } = JSON.parse(json) as { readonly revision: number; readonly updatedAt: string }
  return { revision, updatedAt }
}

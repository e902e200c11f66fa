import { header } from '../../../http/contract/endpoint.ts'
import type { RefusedCall } from '../../../http/contract/problems/problem.ts'
import type { Collection } from '../../../queries/collection.ts'
import { queryOf } from '../../../queries/query-string.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { unpacked } from '../../../values/json/texts.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../../door.ts'
import { type ListPage, readList } from '../../kit/reads.ts'
import { judged } from '../../kit/tags.ts'
import { type AskedRows, idIn } from '../asked/asked-rows.ts'
import { showsMany } from '../asked/select.ts'
import { refused } from '../errors.ts'
import { answerRows, readTableRequest, singularFault, stateOf } from './answer-rows.ts'
import { withInner } from './inner-rows.ts'

/** GET /postgrest/deals */
export async function readRows(collection: Collection, call: DoorCall): Promise<DoorResult> {
  const request = readTableRequest(collection, 'read', call)
  if ('refused' in request) return request.refused
  const { format, preferences } = request
  const asked = await withInner(collection, request.asked, call)
  if ('problem' in asked) return asked
  const range = rangeOf(asked, call)
  if ('answer' in range) return range.answer
  const { offset, limit } = range
  const read = await readPlace(collection, asked, { ...range, counts: preferences.counts }, call)
  if ('problem' in read) return read
  const { items, total } = read.page
  const rows = limit === 0 ? [] : unpacked(items)
  const span = rows.length === 0 ? '*' : `${offset}-${offset + rows.length - 1}`
  const headers = { 'content-range': `${span}/${total ?? '*'}`, 'range-unit': 'items' }
  if (total !== undefined && offset > total) {
    const details = `An offset of ${offset} was requested, but there are only ${total} rows.`
    return refused({ status: 416, ...NOT_SATISFIABLE, details, headers: { ...headers, 'content-range': `*/${total}` } })
  }
  const isSingular = singularFault(format, rows.length)
  if (isSingular !== undefined) return isSingular
  const status = total === undefined || rows.length >= total ? 200 : 206
  const untagged = idIn(asked.conditions) === undefined
  const answer = await answerRows(rows, { ...request, asked, status, headers, untagged }, call)
  const [only] = rows
  return answer.headers?.etag === undefined || only === undefined ? answer : judged(answer, stateOf(only), call)
}

const NOT_SATISFIABLE = { code: 'PGRST103', message: 'Requested range not satisfiable' }

interface RowRange {
  readonly offset: number
  readonly limit: number
}

/** The intersection of the parameters and the header Range, and of the largest number of rows. */
function rangeOf(
  { offset, limit = Number.POSITIVE_INFINITY, members }: AskedRows,
  call: DoorCall,
): RowRange | { readonly answer: DoorAnswer } {
  const [, from, to] = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header(call, 'range')?.trim() ?? '') ?? []
  const first = Math.max(offset, Number(from ?? 0))
  const end = Math.min(offset + limit, to ? Number(to) + 1 : Number.POSITIVE_INFINITY)
  if (to && Number(to) < Number(from)) {
    const details = 'The upper boundary must be greater than or equal to the lower boundary in the Range header.'
    return { answer: refused({ status: 416, ...NOT_SATISFIABLE, details }) }
  }
  const most = showsMany(members) ? answerBounds.related : answerBounds.page
  return { offset: first, limit: Math.max(0, Math.min(end - first, most)) }
}

/** Rows of the list from a position on. */
export const readPlace = (
  collection: Collection,
  { conditions, sort }: Pick<AskedRows, 'conditions' | 'sort'>,
  { offset, limit, counts }: RowRange & { readonly counts: boolean },
  call: DoorCall,
): Promise<ListPage | RefusedCall> =>
  readList(
    collection,
    queryOf([
      ['offset', String(offset)],
      ['limit', String(Math.max(1, limit))],
      ...(counts ? ([['count', 'exact']] as const) : []),
    ]),
    call,
    // Several conditions on one field must all hold, so they are not separate parameters.
    {
      ...(conditions.length > 0 && { conditions: [{ any: [conditions], negated: false }] }),
      ...(sort && { sort }),
    },
  )

import { missedEvents } from '../../http/ask/missed-events.ts'
import { type Problem, placedAnew, type RefusedCall } from '../../http/contract/problems/problem.ts'
import type { Filter } from '../../queries/query.ts'
import { queryOf } from '../../queries/query-string.ts'
import { equals } from '../../queries/term.ts'
import { inTurns } from '../../store/port/take-turns.ts'
import { answerBounds } from '../../values/bounds.ts'
import { areLong, type JsonTexts, listed } from '../../values/json/texts.ts'
import type { DoorCall, DoorResult } from '../door.ts'
import { type ListPage, readList } from '../kit/reads.ts'
import { showEntities } from './entities.ts'
import { findEntity } from './entity-reads.ts'
import { largestPageWith, shownIn } from './expand-options.ts'
import type { EntitySet } from './model/entity-sets.ts'
import type { EntitiesPlace, EntityPlace } from './place.ts'
import { contentTypeOf, contextText, jsonAnswer, preference } from './protocol.ts'
import { readSearch } from './search-expression.ts'
import {
  countOptions,
  listOptions,
  plainName,
  readDataOptions,
  readSystemOptions,
  type SystemOptions,
} from './system-options.ts'

/** The entities of a set, or those that a navigation leads to. */
export async function readEntities(place: EntitiesPlace, call: DoorCall): Promise<DoorResult> {
  const read = readDataOptions(call, listOptions, place.set)
  if ('problem' in read) return read
  const { options, format } = read
  const asked = preference(call, 'maxpagesize')
  const wanted = asked !== undefined && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : undefined
  const size = Math.min(
    wanted ?? options.skiptoken?.size ?? options.top ?? answerBounds.page,
    answerBounds.page,
    largestPageWith(options.expand),
  )
  const top = options.top ?? Number.POSITIVE_INFINITY
  const list = await listOf(place, options, Math.max(1, Math.min(size, top)), call)
  if ('problem' in list) return list
  const { page, cursors } = list
  const items = top === 0 ? [] : page.items
  const shown = await showEntities(place.set, items, { ...options, format }, call)
  const left = top - items.length
  const goesOn = page.hasMore && left > 0 && cursors.after !== undefined
  const next = goesOn ? nextLink(call, Math.max(1, size), left, cursors.after ?? '') : undefined
  const before = [
    contextText(`#${place.set.name}${shownIn(options)}`, format, call),
    ...(options.count ? [`"@odata.count":${format.ieee754 ? `"${page.total}"` : page.total}`] : []),
    '"value":[',
  ].filter((part) => part !== '')
  const after = next === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(next)}`
  const applied = wanted === undefined ? {} : { 'preference-applied': `odata.maxpagesize=${size}` }
  const texts = entitiesText(before.join(), shown, after)
  if (!areLong(shown)) return jsonAnswer([...texts].join(''), format, applied)
  return { status: 200, headers: applied, parts: inTurns(texts), contentType: contentTypeOf(format) }
}

function* entitiesText(before: string, shown: JsonTexts, after: string): Generator<string> {
  yield `{${before}`
  yield* listed(shown)
  yield `]${after}}`
}

/** The number of entities, as plain text. */
export async function countEntities(place: EntitiesPlace, call: DoorCall): Promise<DoorResult> {
  const read = readSystemOptions(call.query, countOptions, place.set)
  if ('problem' in read) return read
  const list = await listOf(place, { ...read.options, count: true }, 1, call)
  if ('problem' in list) return list
  return { status: 200, content: String(list.page.total), contentType: 'text/plain;charset=utf-8' }
}

async function listOf(
  { set, from, by }: EntitiesPlace,
  options: SystemOptions,
  size: number,
  call: DoorCall,
): Promise<ListPage | RefusedCall> {
  const { filter, orderby, search, skip, count, skiptoken } = options
  const scope = from && by && (await scopeOf(from, by.field, set, call))
  if (scope !== undefined && 'problem' in scope) return scope
  const conditions = search === undefined ? { filter: [] } : readSearch(set.collection, search)
  if ('problem' in conditions) return conditions
  const asked = {
    ...{ $filter: filter, after: skiptoken?.cursor, $skip: skip },
    ...{ $count: count || undefined, $top: size },
  }
  const query = queryOf(
    Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const])),
  )
  const read = await readList(set.collection, query, call, {
    conditions: conditions.filter,
    ...(orderby && { sort: orderby }),
    ...(scope && { scope: scope.scope }),
  })
  if ('problem' in read) return { problem: inOdata(read.problem) }
  // A reader before the trimmed position gets 410, as at the events' own address.
  const missed = set.collection.name === 'events' && (await missedEvents(read.query, call))
  return missed ? { problem: missed } : read
}

/** Our own name for the position in a list is not one of OData. */
const inOdata = (problem: Problem): Problem =>
  placedAnew(problem, (at) => (at.parameter === 'after' ? { ...at, parameter: '$skiptoken' } : at))

/** The entities that refer to one, which must exist. */
async function scopeOf(
  from: EntityPlace,
  field: string,
  { collection }: EntitySet,
  call: DoorCall,
): Promise<{ readonly scope: Filter } | RefusedCall> {
  const found = await findEntity(from, call)
  if ('problem' in found) return found
  if ('nothing' in found)
    return { problem: { code: 'not-found', detail: 'The way to these entities ends before them.' } }
  return { scope: [equals(collection, field, found.thing.id)] }
}

/** The same address with the position to continue, and the rest of `$top`. */
function nextLink({ service, path, query }: DoorCall, size: number, left: number, cursor: string): string {
  const kept = query.parameters.filter((each) => !['top', 'skip', 'skiptoken'].includes(plainName(each)))
  const rest = Number.isFinite(left) ? [`$top=${left}`] : []
  const token = `$skiptoken=${encodeURIComponent(`${size}.${cursor}`)}`
  return `${service.addresses.base}${path}?${[...kept.map(({ raw }) => raw), ...rest, token].join('&')}`
}

import { findLive } from '../../http/ask/find.ts'
import { referredTo } from '../../http/ask/related.ts'
import type { Problem, RefusedCall } from '../../http/contract/problems/problem.ts'
import { orNearest } from '../../http/contract/problems/told-problem.ts'
import { fieldOf } from '../../queries/collection.ts'
import type { Filter, Value } from '../../queries/query.ts'
import { noQuery } from '../../queries/query-string.ts'
import type { Stored } from '../../store/port/desk.ts'
import { isObject } from '../../values/json/is-object.ts'
import { readNumbersRaw } from '../../values/json/read-numbers-raw.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../door.ts'
import { readList } from '../kit/reads.ts'
import { contentTag, judged } from '../kit/tags.ts'
import { type ShownEntity, showEntities } from './entities.ts'
import { shownIn } from './expand-options.ts'
import { type EntitySet, membersIn } from './model/entity-sets.ts'
import { type EntityPlace, entityPath, type PropertyPlace } from './place.ts'
import { contextText, type JsonFormat, jsonAnswer, jsonFormat, notJson, taggedFormat, usualFormat } from './protocol.ts'
import { entityOptions, noOptions, readDataOptions, readSystemOptions, type SystemOptions } from './system-options.ts'

type FoundEntity = { readonly thing: Stored } | { readonly nothing: true } | RefusedCall

/** The entity at a place; undefined if a navigation leads nowhere. */
export async function findEntity(place: EntityPlace, call: DoorCall): Promise<FoundEntity> {
  const { set } = place
  if ('from' in place) {
    const from = await findEntity(place.from, call)
    if (!('thing' in from)) return from
    const key = referredTo(from.thing, place.by)
    return key === null ? { nothing: true } : findEntity({ set, key }, call)
  }
  if (set.resource !== undefined) return findLive(set.resource, place.key, call)
  const field = fieldOf(set.collection, set.key)
  const read = field.kind.readText(String(place.key))
  const scope: Filter = 'value' in read ? [{ field, operator: 'eq', values: [read.value as Value] }] : []
  const list = 'fault' in read ? undefined : await readList(set.collection, noQuery, call, { scope })
  if (list !== undefined && 'problem' in list) return list
  const [json] = list?.page.items ?? []
  if (json === undefined) return { problem: { code: 'not-found', detail: `There is no such ${set.collection.item}.` } }
  return { thing: { id: String(place.key), revision: 0, updatedAt: '', json } }
}

export async function readEntity(place: EntityPlace, call: DoorCall): Promise<DoorResult> {
  const { set } = place
  const read = readDataOptions(call, entityOptions, set)
  if ('problem' in read) return read
  const { options, format } = read
  const found = await findEntity(place, call)
  if ('problem' in found) return found
  if ('nothing' in found) return { status: 204 }
  const { thing } = found
  const text = await entityText(set, thing, { ...options, format }, call)
  return validated(place, thing, jsonAnswer(text, format), options.expand.length > 0 ? undefined : format, call)
}

/** A single entity, with its context. */
export async function entityText(
  set: EntitySet,
  { json }: Stored,
  shown: Pick<SystemOptions, 'select' | 'expand'> & Pick<ShownEntity, 'format' | 'tried'>,
  call: DoorCall,
): Promise<string> {
  const [text = '{}'] = await showEntities(set, [json], shown, call)
  const context = contextText(`#${set.name}${shownIn(shown)}/$entity`, shown.format, call)
  return context === '' ? text : `{${context},${text.slice(1)}`
}

/**
 * A read with its tag in a format, unless the client has it. Answers with several states have none, and neither do
 * results of a navigation, which may lead to another thing in the same state next time.
 */
function validated(
  place: EntityPlace,
  thing: Stored,
  answer: DoorAnswer,
  format: JsonFormat | undefined,
  call: DoorCall,
): DoorResult {
  if (place.set.resource === undefined || !('key' in place)) return judged(answer, undefined, call)
  if (format === undefined) return judged(answer, thing, call)
  const etag = contentTag(thing, answer.content ?? '', call, taggedFormat(format))
  return judged({ ...answer, headers: { etag } }, thing, call)
}

export async function readProperty(place: PropertyPlace, call: DoorCall): Promise<DoorResult> {
  const { entity, property, member, raw } = place
  const { set } = entity
  const read = readSystemOptions(call.query, noOptions, undefined)
  if ('problem' in read) return read
  const found = await findEntity(entity, call)
  if ('problem' in found) return found
  const format = jsonFormat(call, read.options.format)
  if (format === undefined && !raw) return { problem: notJson }
  if ('nothing' in found) return { status: 204 }
  const shown = { select: [property], expand: [], format: { ieee754: false, ...format, metadata: 'none' } } as const
  const [whole = '{}'] = await showEntities(set, [found.thing.json], shown, call)
  const own = memberText(whole, property)
  const text = member === undefined ? own : memberText(own ?? 'null', member)
  if (text === undefined && member !== undefined) {
    const known = membersIn(set, property, call.schema)
    if (!known.has(member)) return { problem: noMember(property, member, known.keys()) }
  }
  if (text === undefined || text === 'null') return { status: 204 }
  const { thing } = found
  if (raw || format === undefined) {
    const content = text.startsWith('"') ? String(JSON.parse(text)) : text
    const answer = { status: 200, content, contentType: 'text/plain;charset=utf-8' }
    return validated(entity, thing, answer, usualFormat, call)
  }
  const path = [entityPath(set, thing.id), property, ...(member === undefined ? [] : [encodeURIComponent(member)])]
  const context = contextText(`#${path.join('/')}`, format, call)
  // A complex value is the object itself, any other one is a member.
  const members = text.startsWith('{') ? text.slice(1, -1) : `"value":${text}`
  const content = `{${[context, members].filter((each) => each !== '').join()}}`
  return validated(entity, thing, jsonAnswer(content, format), format, call)
}

/** A member of a JSON text, as written there; undefined if there is none. */
function memberText(json: string, name: string): string | undefined {
  const item: unknown = readNumbersRaw(json)
  return isObject(item) && Object.hasOwn(item, name) ? JSON.stringify(item[name]) : undefined
}

const noMember = (property: string, member: string, known: Iterable<string>): Problem => ({
  code: 'not-found',
  detail: `There is no ${JSON.stringify(member.slice(0, 64))} of ${property}${orNearest(member, known)}`,
})

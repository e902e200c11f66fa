import type { Key } from '../../../model/resource.ts'
import { fieldOf } from '../../../queries/collection.ts'
import type { Filter, Value } from '../../../queries/query.ts'
import { noQuery } from '../../../queries/query-string.ts'
import type { Stored } from '../../../store/port/store.ts'
import { isObject } from '../../../values/members.ts'
import { didYouMean } from '../../../values/nearest.ts'
import { findLive } from '../../ask/find.ts'
import { judgeRead } from '../../request/preconditions.ts'
import type { Problem } from '../../respond/problems/problem.ts'
import type { DoorCall } from '../door.ts'
import { readList } from '../parts/read-list.ts'
import { showEntities } from './entities.ts'
import { type EntitySet, eventData } from './model/entity-sets.ts'
import { type EntityPlace, entityPath, type PropertyPlace } from './place.ts'
import { contextText, type JsonFormat, jsonAnswer, jsonFormat, notJson, type OdataResult } from './protocol.ts'
import { entityOptions, noOptions, readSystemOptions, type SystemOptions, shownIn } from './system-options.ts'

type FoundEntity = { readonly thing: Stored } | { readonly nothing: true } | { readonly problem: Problem }

/** The entity at a place; nothing where a navigation leads nowhere. */
export async function findEntity(place: EntityPlace, call: DoorCall): Promise<FoundEntity> {
  const { set } = place
  if ('from' in place) {
    const from = await findEntity(place.from, call)
    if (!('thing' in from)) return from
    const key = (JSON.parse(from.thing.json) as { readonly [name: string]: Key | null })[place.by.relation.field]
    return key === null || key === undefined ? { nothing: true } : findEntity({ set, key }, call)
  }
  if (set.resource !== undefined) return findLive(set.resource, place.key, call)
  const field = fieldOf(set.collection, set.key)
  const read = field.kind.readText(String(place.key))
  const scope: Filter = 'value' in read ? [{ field, operator: 'eq', values: [read.value as Value] }] : []
  const list = 'fault' in read ? undefined : await readList(set.collection, noQuery, call, { scope })
  if (list !== undefined && 'problem' in list) return list
  const json = list?.page.items[0]
  if (json === undefined) return { problem: { code: 'not-found', detail: `There is no such ${set.collection.item}.` } }
  return { thing: { id: String(place.key), revision: 0, updatedAt: '', json } }
}

export async function readEntity(place: EntityPlace, call: DoorCall): Promise<OdataResult> {
  const { set } = place
  const read = readSystemOptions(call.query, entityOptions, set)
  if ('problem' in read) return read
  const { options } = read
  const format = jsonFormat(call, options.format)
  if (format === undefined) return { problem: notJson }
  const found = await findEntity(place, call)
  if ('problem' in found) return found
  if ('nothing' in found) return { status: 204 }
  return showEntity(place, found.thing, options, format, call)
}

async function showEntity(
  place: EntityPlace,
  thing: Stored,
  options: SystemOptions,
  format: JsonFormat,
  call: DoorCall,
): Promise<OdataResult> {
  const { set } = place
  const { headers, state } = validatorsAt(place, thing, call, options)
  const verdict = judgeRead(call, { tag: headers.etag, state }, call.service.tags)
  if (verdict === 'not-modified') return { status: 304, headers }
  if (verdict !== 'send') return verdict
  return jsonAnswer(await entityText(set, thing, { ...options, format }, call), format, headers)
}

/** An entity by itself, with its context. */
export async function entityText(
  set: EntitySet,
  { json }: Stored,
  shown: Pick<SystemOptions, 'select' | 'expand'> & { readonly format: JsonFormat },
  call: DoorCall,
): Promise<string> {
  const [text = '{}'] = await showEntities(set, [json], shown, call.service)
  const context = contextText(`#${set.name}${shownIn(shown)}/$entity`, shown.format, call)
  return context === '' ? text : `{${context},${text.slice(1)}`
}

/** None behind a navigation, which may lead to another thing next time, one that is in the same state. */
function validatorsAt(
  place: EntityPlace,
  thing: Stored,
  call: DoorCall,
  { expand }: Pick<SystemOptions, 'expand'>,
): { readonly headers: { readonly etag?: string }; readonly state?: Stored } {
  if (place.set.resource === undefined || !('key' in place)) return { headers: {} }
  return { headers: expand.length > 0 ? {} : tagOf(place.set, thing, call), state: thing }
}

/** The tag of what has revisions. */
export const tagOf = ({ resource }: EntitySet, thing: Stored, { service }: DoorCall): { readonly etag?: string } =>
  resource === undefined ? {} : { etag: service.tags.tag(thing, { representation: 'json' }) }

export async function readProperty(place: PropertyPlace, call: DoorCall): Promise<OdataResult> {
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
  const [whole = '{}'] = await showEntities(set, [found.thing.json], shown, call.service)
  const own = memberText(whole, property)
  const text = member === undefined ? own : memberText(own ?? 'null', member)
  if (text === undefined && member !== undefined && !eventData.has(member)) return { problem: noMember(place, member) }
  if (text === undefined || text === 'null') return { status: 204 }
  const { headers, state } = validatorsAt(entity, found.thing, call, { expand: [] })
  const verdict = judgeRead(call, { tag: headers.etag, state }, call.service.tags)
  if (verdict === 'not-modified') return { status: 304, headers }
  if (verdict !== 'send') return verdict
  if (raw || format === undefined) {
    const content = text.startsWith('"') ? String(JSON.parse(text)) : text
    return { status: 200, headers, content, contentType: 'text/plain;charset=utf-8' }
  }
  const path = [
    entityPath(set, found.thing.id),
    property,
    ...(member === undefined ? [] : [encodeURIComponent(member)]),
  ]
  const context = contextText(`#${path.join('/')}`, format, call)
  // A complex value is the object itself, any other one is a member.
  const members = text.startsWith('{') ? text.slice(1, -1) : `"value":${text}`
  return jsonAnswer(`{${[context, members].filter((each) => each !== '').join()}}`, format, headers)
}

/** A member of a JSON text, as it is written there; undefined if there is none. */
function memberText(json: string, name: string): string | undefined {
  const item: unknown = JSON.parse(json, keepDigits)
  return isObject(item) && Object.hasOwn(item, name) ? JSON.stringify(item[name]) : undefined
}

const keepDigits = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value

const noMember = ({ property }: PropertyPlace, member: string): Problem => ({
  code: 'not-found',
  detail: `There is no ${JSON.stringify(member.slice(0, 64))} of ${property}${didYouMean(member, eventData.keys()) || '.'}`,
})

import type { Key } from '../../../model/resource.ts'
import { fieldOf } from '../../../queries/collection.ts'
import type { Filter, Value } from '../../../queries/query.ts'
import { noQuery } from '../../../queries/query-string.ts'
import type { Stored } from '../../../store/port/store.ts'
import { findLive } from '../../ask/find.ts'
import { judgeRead } from '../../request/preconditions.ts'
import type { Problem } from '../../respond/problems/problem.ts'
import type { DoorCall } from '../door.ts'
import { readList } from '../parts/read-list.ts'
import { showEntities } from './entities.ts'
import type { EntitySet } from './model/entity-sets.ts'
import { type EntityPlace, entityPath, type OdataPlace } from './place.ts'
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

export async function readProperty(
  { entity, property, raw }: Extract<OdataPlace, { kind: 'property' }>,
  call: DoorCall,
): Promise<OdataResult> {
  const read = readSystemOptions(call.query, noOptions, undefined)
  if ('problem' in read) return read
  const found = await findEntity(entity, call)
  if ('problem' in found) return found
  const format = jsonFormat(call, read.options.format)
  if (format === undefined && !raw) return { problem: notJson }
  const { set } = entity
  const value = 'nothing' in found ? null : valueIn(found.thing.json, property)
  if ('nothing' in found || value === null) return { status: 204 }
  const { headers, state } = validatorsAt(entity, found.thing, call, { expand: [] })
  const verdict = judgeRead(call, { tag: headers.etag, state }, call.service.tags)
  if (verdict === 'not-modified') return { status: 304, headers }
  if (verdict !== 'send') return verdict
  if (raw) return { status: 200, headers, content: String(value), contentType: 'text/plain;charset=utf-8' }
  const shown = { format: format ?? { metadata: 'minimal', ieee754: false }, select: [property], expand: [] } as const
  const [text = '{}'] = await showEntities(
    set,
    [found.thing.json],
    { ...shown, format: { ...shown.format, metadata: 'none' } },
    call.service,
  )
  const context = contextText(`#${entityPath(set, found.thing.id)}/${property}`, shown.format, call)
  const own = `"value":${text.slice(JSON.stringify(property).length + 2, -1)}`
  return jsonAnswer(`{${[context, own].filter((each) => each !== '').join()}}`, shown.format, headers)
}

/** The value of a property as it is written; a text without its quotes. */
function valueIn(json: string, property: string): string | null {
  const digits = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? value) : value
  const value = (JSON.parse(json, digits) as { readonly [name: string]: unknown })[property] ?? null
  return value === null || typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

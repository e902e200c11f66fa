import type { Operation } from '../../../model/operation.ts'
import type { Resource } from '../../../model/resource.ts'
import { operationsOn } from '../../../model/resources.ts'
import { parseJson } from '../../../values/json/parse-json.ts'
import { isNumeric, type Kind } from '../../../values/kinds/kind.ts'
import type { Members } from '../../../values/members.ts'
import { isObject, pointerTo } from '../../../values/members.ts'
import type { Headers } from '../../answer.ts'
import { header } from '../../endpoint.ts'
import { isDeletion, replayed } from '../../resources/things/replies.ts'
import { isDraft, membersDraft } from '../../respond/drafts.ts'
import type { Problem } from '../../respond/problems/problem.ts'
import type { DoorAnswer, DoorCall } from '../door.ts'
import { askChange, type ChangeResult, type GuardWords, type WantedChange } from '../parts/ask-change.ts'
import { contentTag } from '../parts/content-tag.ts'
import { entityText } from './entity-reads.ts'
import { type EntitySet, entitySetNamed } from './model/entity-sets.ts'
import { type EntityPlace, entityPath, navigationIn, type OdataPlace, readPlace } from './place.ts'
import {
  isIeee754,
  jsonAnswer,
  jsonFormat,
  notJson,
  type OdataResult,
  preference,
  repeatableId,
  rootOf,
  taggedFormat,
  usualFormat,
} from './protocol.ts'
import { entityOptions, readSystemOptions, type SystemOptions } from './system-options.ts'

/** A request with the value of its body. */
export interface OdataCall extends DoorCall {
  /** Undefined if there was none. */
  readonly body: unknown
}

/** A write as it was read, and what its answer needs. */
export interface ReadWrite {
  readonly set: EntitySet
  readonly wanted: WantedChange
  /** Made, changed, or gone. */
  readonly reply: 'created' | 'changed' | 'gone'
  readonly options: SystemOptions
  readonly headers: Headers
}

/** Asks for what a request wants to change. */
export async function write(place: OdataPlace, call: OdataCall): Promise<OdataResult> {
  const read = readWrite(place, call)
  if ('problem' in read) return read
  const asked = await askChange(read.wanted, call)
  if ('problem' in asked) return asked
  return answerWritten(read, asked, call)
}

export function readWrite(place: OdataPlace, call: OdataCall): ReadWrite | { readonly problem: Problem } {
  const aim = aimOf(place, call)
  if ('problem' in aim) return aim
  const { set, resource, change, target, operation, said } = aim
  const read = readSystemOptions(call.query, entityOptions, set)
  if ('problem' in read) return read
  if (jsonFormat(call, read.options.format) === undefined) return { problem: notJson }
  const repeatable = repeatableId(call)
  if ('problem' in repeatable) return repeatable
  const { headers, ...decidedOnce } = repeatable
  const reply = operation === undefined ? 'changed' : isDeletion(operation) ? 'gone' : 'changed'
  return {
    set,
    reply: operation?.to === 'nothing' ? 'created' : reply,
    options: read.options,
    headers,
    wanted: {
      resource,
      ...(target !== undefined && { target }),
      change,
      ...said,
      ...decidedOnce,
    },
  }
}

interface Aim extends Pick<WantedChange, 'resource' | 'target' | 'change'> {
  readonly set: EntitySet
  /** Absent where attributes are given. */
  readonly operation?: Operation
  /** What the arguments of an action say of the write itself. */
  readonly said?: GuardWords
}

/** Which thing is to be changed, and how. */
function aimOf(place: OdataPlace, call: OdataCall): Aim | { readonly problem: Problem } {
  const { method } = call
  if (place.kind === 'action' && method === 'POST') {
    const { body } = call
    if (!isObject(body)) return aimAt(place.set, place.action.operation, place.entity, call)
    const { commandId, expectedRevision, dryRun, ...rest } = body
    const aim = aimAt(place.set, place.action.operation, place.entity, { ...call, body: rest })
    return 'problem' in aim ? aim : { ...aim, said: { commandId, expectedRevision, dryRun } }
  }
  if (place.kind === 'entities' && method === 'POST' && place.from === undefined && place.set.resource !== undefined) {
    return aimAt(
      place.set,
      operationOf(place.set.resource, ({ to }) => to === 'nothing'),
      undefined,
      call,
    )
  }
  const { set, key } = place.kind === 'entity' && 'key' in place.entity ? place.entity : nowhere
  if (set?.resource === undefined) return { problem: notHere(method) }
  const { resource } = set
  if (method === 'DELETE')
    return aimAt(
      set,
      operationOf(resource, ({ name }) => name === 'delete'),
      { set, key },
      call,
    )
  if (method !== 'PATCH' && method !== 'PUT') return { problem: notHere(method) }
  const attributes = readMembers(set, resource.patch as unknown as Members, call)
  if ('problem' in attributes) return attributes
  const whole = method === 'PUT' && resource.put === 'anew'
  return { set, resource, target: key, change: { attributes: attributes.members, whole } }
}

const nowhere = { set: undefined, key: undefined } as const

function aimAt(
  set: EntitySet,
  operation: Operation,
  entity: EntityPlace | undefined,
  call: OdataCall,
): Aim | { readonly problem: Problem } {
  const params = readMembers(set, operation.params, call)
  if ('problem' in params) return params
  if (entity !== undefined && !('key' in entity)) return { problem: notHere('an action behind a navigation') }
  return {
    set,
    resource: operation.on,
    operation,
    ...(entity && { target: entity.key }),
    change: { action: operation.words.action, params: params.members },
  }
}

function operationOf(resource: Resource, is: (operation: Operation) => boolean): Operation {
  const found = operationsOn(resource).find(is)
  if (found === undefined) throw new Error(`${resource.plural} lack an operation`)
  return found
}

const notHere = (what: string): Problem => ({ code: 'method-not-allowed', detail: `${what} is not for this address.` })

/** The members of a body without control information; `customer@odata.bind` becomes the key that it names. */
function readMembers(
  set: EntitySet,
  members: Members,
  call: OdataCall,
): { readonly members: unknown } | { readonly problem: Problem } {
  const { body = {} } = call
  if (!isObject(body)) return { members: body }
  const textual = isIeee754(header(call, 'content-type'))
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const [, property = '', term] = /^([^@]*)@(?:odata\.)?(\w+)/.exec(name) ?? []
    if (term === 'bind') {
      const bound = readBinding(set, property, value, call)
      if ('fault' in bound) return { problem: bindingProblem(name, bound.fault) }
      read[bound.field] = bound.key
    } else if (term === undefined) read[name] = textual ? numberOf(kindOf(name, members, set), value) : value
  }
  return { members: read }
}

/** Of a parameter, or of a property that only the service sets: an entity may come back as it was read. */
function kindOf(name: string, members: Members, { resource }: EntitySet): Kind<unknown> | undefined {
  const known = [members, resource?.fields ?? {}].find((each) => Object.hasOwn(each, name))
  return known?.[name]?.kind
}

/** With IEEE754Compatible, wide numbers come as texts. They are read and refused as the numbers that they are. */
function numberOf(kind: Kind<unknown> | undefined, value: unknown): unknown {
  const isNumber = kind !== undefined && isNumeric(kind)
  return isNumber && typeof value === 'string' && numberText.test(value) ? parseJson(value) : value
}

/** RFC 8259 §6. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function readBinding(
  set: EntitySet,
  property: string,
  value: unknown,
  call: OdataCall,
): { readonly field: string; readonly key: unknown } | { readonly fault: string } {
  const by = navigationIn(set, property)
  if (by?.relation.kind !== 'one') return { fault: 'is bound to no navigation property to one entity' }
  const { field } = by.relation
  if (value === null) return { field, key: null }
  if (typeof value !== 'string') return { fault: 'must be the address of an entity' }
  const place = isElsewhere(value, call) ? undefined : readPlace(belowRoot(value))
  const entity = place === undefined || 'problem' in place || place.kind !== 'entity' ? undefined : place.entity
  if (entity === undefined || !('key' in entity) || entity.set !== entitySetNamed(by.to)) {
    return { fault: `must be the address of one of ${by.to}, such as ${by.to}(…)` }
  }
  return { field, key: entity.key }
}

/** An address may be relative to the root, or whole. */
export const belowRoot = (address: string): string => address.replace(/^(?:[a-z]+:\/\/[^/]*)?\/.*?odata\//i, '')

/** Whether an address names a host, and neither that of the request nor that of BASE_URL. */
export function isElsewhere(address: string, { headers, service }: Pick<DoorCall, 'headers' | 'service'>): boolean {
  const [, protocol = 'http:', host] = /^([a-z]+:)?\/\/([^/?#]*)/i.exec(address) ?? []
  if (host === undefined) return false
  // The usual port depends on the protocol, which a proxy may have changed.
  const hostAt = (origin: string): string | undefined => URL.parse(origin.replace(/^https?:/, protocol))?.host
  const own = [`http://${headers.host}`, service.addresses.base].map(hostAt)
  return !/^https?:$/i.test(protocol) || !own.includes(hostAt(`http://${host}`) ?? '')
}

const bindingProblem = (name: string, detail: string): Problem => ({
  code: 'invalid-body',
  detail: `${name} ${detail}`,
  errors: [{ pointer: pointerTo(name), detail }],
})

/** The answer to a write that took effect, or would. */
export async function answerWritten(
  { set, reply, options, headers, wanted: { target } }: ReadWrite,
  { applied, dryRun }: Exclude<ChangeResult, { readonly problem: Problem }>,
  call: OdataCall,
): Promise<DoorAnswer> {
  const { thing } = applied
  const sent = { ...headers, ...replayed(applied), ...(dryRun && { 'dry-run': 'true' }) }
  if (reply === 'gone') return { status: 204, headers: sent }
  const address = `${rootOf(call.service)}/${entityPath(set, thing.id)}`
  const made = reply === 'created' && !dryRun ? { location: address } : {}
  const wanted = preference(call, 'return')
  const chosen = wanted === 'minimal' || wanted === 'representation' ? { 'preference-applied': `return=${wanted}` } : {}
  const format = jsonFormat(call, options.format) ?? usualFormat
  const tried = dryRun && !applied.replayed
  const shown = isDraft({ dryRun, target }, applied) ? { ...thing, json: membersDraft(thing) } : thing
  const text = wanted === 'minimal' ? '' : await entityText(set, shown, { ...options, format, tried }, call)
  // What a repeat answers may have changed since, and what is only tried is no state.
  const isTagged = options.expand.length === 0 && !applied.replayed && !dryRun
  const tags = isTagged ? { etag: contentTag(thing, text, call, taggedFormat(format)) } : {}
  const all = { ...sent, ...made, ...tags, ...chosen }
  if (wanted === 'minimal') return { status: 204, headers: { ...all, ...(!dryRun && { 'odata-entityid': address }) } }
  return { ...jsonAnswer(text, format, all), status: reply === 'created' && !dryRun ? 201 : 200 }
}

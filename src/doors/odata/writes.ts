import type { Headers } from '../../http/contract/answer.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import type { Applied, Write, WriteWords } from '../../http/contract/write.ts'
import { isDeletion } from '../../http/respond/replies.ts'
import { apply, replayed } from '../../http/write/write.ts'
import type { Operation, Resource } from '../../model/schema.ts'
import type { Members } from '../../values/members.ts'
import { isObject } from '../../values/members.ts'
import type { DoorAnswer } from '../door.ts'
import { contentTag } from '../kit/tags.ts'
import { type OdataCall, readMembers } from './entity-body.ts'
import { entityText } from './entity-reads.ts'
import type { EntitySet } from './model/entity-sets.ts'
import { type EntityPlace, entityPath, type OdataPlace } from './place.ts'
import {
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

/** A write as it was read, and what its answer needs. */
export interface ReadWrite {
  readonly set: EntitySet
  readonly asked: Write
  /** Made, changed, or gone. */
  readonly reply: 'created' | 'changed' | 'gone'
  readonly options: SystemOptions
  readonly headers: Headers
}

/** Asks for what a request wants to change. */
export async function write(place: OdataPlace, call: OdataCall): Promise<OdataResult> {
  const read = readWrite(place, call)
  if ('problem' in read) return read
  const applied = await apply(read.asked, call)
  return 'problem' in applied ? applied : answerWritten(read, applied, call)
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
    asked: {
      resource: resource.name,
      ...(target !== undefined && { target }),
      change,
      ...said,
      ...decidedOnce,
    },
  }
}

interface Aim extends Pick<Write, 'target' | 'change'> {
  readonly resource: Resource
  readonly set: EntitySet
  /** Absent where attributes are given. */
  readonly operation?: Operation
  /** What the arguments of an action say of the write itself. */
  readonly said?: WriteWords
}

/** Which thing is to be changed, and how. */
function aimOf(place: OdataPlace, call: OdataCall): Aim | { readonly problem: Problem } {
  const { method } = call
  if (place.kind === 'action' && method === 'POST') {
    const { body } = call
    if (!isObject(body)) return aimAt(place.set, place.operation, place.entity, call)
    const { commandId, expectedRevision, dryRun, ...rest } = body
    const aim = aimAt(place.set, place.operation, place.entity, { ...call, body: rest })
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
  const found = resource.operations.find(is)
  if (found === undefined) throw new Error(`${resource.plural} lack an operation`)
  return found
}

const notHere = (what: string): Problem => ({ code: 'method-not-allowed', detail: `${what} is not for this address.` })

/** The answer to a write that took effect, or would. */
export async function answerWritten(
  { set, reply, options, headers }: ReadWrite,
  { intent: { dryRun }, outcome }: Applied,
  call: OdataCall,
): Promise<DoorAnswer> {
  const { thing } = outcome
  const sent = { ...headers, ...replayed(outcome), ...(dryRun && { 'dry-run': 'true' }) }
  if (reply === 'gone') return { status: 204, headers: sent }
  const address = `${rootOf(call.service)}/${entityPath(set, thing.id)}`
  const made = reply === 'created' && !dryRun ? { location: address } : {}
  const wanted = preference(call, 'return')
  const chosen = wanted === 'minimal' || wanted === 'representation' ? { 'preference-applied': `return=${wanted}` } : {}
  const format = jsonFormat(call, options.format) ?? usualFormat
  const tried = dryRun && !outcome.replayed
  const text = wanted === 'minimal' ? '' : await entityText(set, thing, { ...options, format, tried }, call)
  // What a repeat answers may have changed since, and what is only tried is no state.
  const isTagged = options.expand.length === 0 && !outcome.replayed && !dryRun
  const tags = isTagged ? { etag: contentTag(thing, text, call, taggedFormat(format)) } : {}
  const all = { ...sent, ...made, ...tags, ...chosen }
  if (wanted === 'minimal') return { status: 204, headers: { ...all, ...(!dryRun && { 'odata-entityid': address }) } }
  return { ...jsonAnswer(text, format, all), status: reply === 'created' && !dryRun ? 201 : 200 }
}

import type { Headers } from '../../http/contract/answer.ts'
import { header } from '../../http/contract/endpoint.ts'
import type { RefusedCall } from '../../http/contract/problems/problem.ts'
import type { Applied, Write, WriteWords } from '../../http/contract/write.ts'
import { apply } from '../../http/write/write.ts'
import { membersToChange } from '../../model/declaration/resource.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import { creationOf, deletionOf, isDeletion } from '../../model/schema/resources.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { DoorAnswer, DoorResult } from '../door.ts'
import { writtenHeaders, writtenTag } from '../kit/tags.ts'
import { type OdataCall, readMembers } from './entity-body.ts'
import { entityText } from './entity-reads.ts'
import type { EntitySet } from './model/entity-sets.ts'
import { entityPath, type OdataPlace } from './place.ts'
import { type JsonFormat, jsonAnswer, preference, repeatableId, rootOf, taggedFormat } from './protocol.ts'
import { entityOptions, readDataOptions, type SystemOptions } from './system-options.ts'

/** A parsed write, and what its answer needs. */
export interface ReadWrite {
  readonly set: EntitySet
  readonly asked: Write
  /** Created, changed, or removed. */
  readonly reply: 'created' | 'changed' | 'gone'
  readonly options: SystemOptions
  readonly format: JsonFormat
  readonly headers: Headers
}

/** Performs the change of a request. */
export async function write(place: OdataPlace, call: OdataCall): Promise<DoorResult> {
  const read = readWrite(place, call)
  if ('problem' in read) return read
  const applied = await apply(read.asked, call)
  return 'problem' in applied ? applied : answerWritten(read, applied, call)
}

export function readWrite(place: OdataPlace, call: OdataCall): ReadWrite | RefusedCall {
  const aim = aimOf(place, call)
  if ('problem' in aim) return aim
  const { set, change, sent, target, operation, said } = aim
  const read = readDataOptions(call, entityOptions, set)
  if ('problem' in read) return read
  const repeatable = repeatableId(call)
  if ('problem' in repeatable) return repeatable
  const { headers, ...decidedOnce } = repeatable
  const reply = operation === undefined ? 'changed' : isDeletion(operation) ? 'gone' : 'changed'
  return {
    set,
    reply: operation?.to === 'nothing' ? 'created' : reply,
    options: read.options,
    format: read.format,
    headers,
    asked: {
      resource: set.collection.item,
      ...(target !== undefined && { target }),
      change,
      sent,
      ...said,
      ...decidedOnce,
    },
  }
}

interface Aim extends Pick<Write, 'target' | 'change' | 'sent'> {
  readonly set: EntitySet
  /** Absent if attributes are given. */
  readonly operation?: Operation
  /** The options of the write among the arguments of an action. */
  readonly said?: WriteWords
}

/** The thing to change, and how. */
function aimOf(place: OdataPlace, call: OdataCall): Aim | RefusedCall {
  const { method, body } = call
  if (place.kind === 'action' && method === 'POST') {
    const { commandId, expectedRevision, dryRun, ...rest } = isObject(body) ? body : {}
    const { set, operation, entity = { key: undefined } } = place
    const target = 'key' in entity ? entity.key : undefined
    const aim = operationAim(set, operation, target, isObject(body) ? { ...call, body: rest } : call)
    if ('problem' in aim) return aim
    return 'key' in entity
      ? { ...aim, said: { commandId, expectedRevision, dryRun } }
      : notHere('an action behind a navigation')
  }
  if (place.kind === 'entities' && method === 'POST' && place.from === undefined && place.set.resource !== undefined) {
    return operationAim(place.set, creationOf(place.set.resource), undefined, call)
  }
  const { set, key } = place.kind === 'entity' && 'key' in place.entity ? place.entity : nowhere
  if (set?.resource === undefined) return notHere(method)
  const { resource } = set
  if (method === 'DELETE') return operationAim(set, deletionOf(resource), key, call)
  if (method !== 'PATCH' && method !== 'PUT') return notHere(method)
  const attributes = readMembers(set, membersToChange(resource), call)
  if ('problem' in attributes) return attributes
  const whole = method === 'PUT' && resource.put === 'anew'
  // OData Protocol 4.01 §11.4.4: without If-Match it is an upsert. Ids are assigned, so an alternate key names its entity.
  const makes = isObject(key) && header(call, 'if-match') === undefined
  const asked = { attributes: attributes.members, ...(makes ? { makes } : { whole }) }
  return { set, target: key, change: asked, sent: [method, call.body] }
}

const nowhere = { set: undefined, key: undefined } as const

function operationAim(set: EntitySet, operation: Operation, target: unknown, call: OdataCall): Aim | RefusedCall {
  const params = readMembers(set, operation.params, call)
  if ('problem' in params) return params
  const change = { action: operation.words.action, params: params.members }
  return { set, operation, ...(target !== undefined && { target }), change, sent: [change.action, call.body] }
}

const notHere = (what: string): RefusedCall => ({
  problem: { code: 'method-not-allowed', detail: `${what} is not for this address.` },
})

/** The answer to a write that took effect, or to its dry run. */
export async function answerWritten(
  { set, reply, options, format, headers }: ReadWrite,
  applied: Applied,
  call: OdataCall,
): Promise<DoorAnswer> {
  const { intent, outcome } = applied
  const { dryRun } = intent
  const { thing } = outcome
  const sent = { ...headers, ...writtenHeaders(intent, outcome) }
  if (reply === 'gone' || applied.isOutOfSight) return { status: 204, headers: sent }
  const address = `${rootOf(call.service)}/${entityPath(set, thing.id)}`
  const isMade = (reply === 'created' || outcome.made) && !dryRun
  const made = isMade ? { location: address } : {}
  const wanted = preference(call, 'return')
  const chosen = wanted === 'minimal' || wanted === 'representation' ? { 'preference-applied': `return=${wanted}` } : {}
  const tried = dryRun && !outcome.replayed
  const text = wanted === 'minimal' ? '' : await entityText(set, thing, { ...options, format, tried }, call)
  const tags = options.expand.length > 0 ? {} : writtenTag(applied, text, call, taggedFormat(format))
  const all = { ...sent, ...made, ...tags, ...chosen }
  if (wanted === 'minimal') return { status: 204, headers: { ...all, ...(!dryRun && { 'odata-entityid': address }) } }
  return { ...jsonAnswer(text, format, all), status: isMade ? 201 : 200 }
}

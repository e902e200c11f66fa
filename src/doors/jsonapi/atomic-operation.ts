import { invalidBody, type RefusedCall, wrongMember } from '../../http/contract/problems/problem.ts'
import type { WriteWords } from '../../http/contract/write.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { Intent } from '../../model/intent/intent.ts'
import { creationOf, deletionOf, operationNamed, type Relation } from '../../model/schema/resources.ts'
import { near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { isObject } from '../../values/json/is-object.ts'
import { NO_OBJECT } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { isElsewhere } from '../kit/own-address.ts'
import { keyFrom, relationsIn, rootAt } from './resource-type.ts'
import { unknownIn } from './sent-meta.ts'
import {
  fromOtherSide,
  type LocalIds,
  NO_SUCH_LID,
  readLinkageChange,
  readResource,
  type SentResource,
  unsupportedChange,
} from './sent-resource.ts'
import { operationChange } from './writes.ts'

/** One of several operations, before it is performed. */
export interface AtomicOperation {
  readonly type: Resource
  readonly sent: SentResource
  readonly target?: unknown
  readonly change: Intent['change']
  /** The relation to one that it changes, which its result shows. */
  readonly relation?: Relation
  /** The local id with which later operations may refer to its result. */
  readonly lid?: string
}

export type ReadOperation = AtomicOperation | RefusedCall

/** A removal has no data. */
const membersOf = (op: unknown): readonly string[] => [
  'op',
  'ref',
  'href',
  'meta',
  ...(op === 'remove' ? [] : ['data']),
]

const REF_MEMBERS = ['type', 'id', 'lid', 'relationship']

/** The shared parts of a request's operations. */
interface AtomicRequest {
  readonly call: Pick<DoorCall, 'headers' | 'service'>
  /** The options of all of them. */
  readonly common: WriteWords
  readonly types: ReadonlyMap<string, Resource>
  readonly local: LocalIds
}

/** Reads `{ op, ref | href, data }` at a pointer of the document. */
export function readAtomicOperation(raw: unknown, pointer: string, request: AtomicRequest): ReadOperation {
  if (!isObject(raw)) return invalid(pointer, NO_OBJECT)
  const wrong = unknownIn(raw, membersOf(raw.op), pointer)
  if (wrong.length > 0) return { problem: invalidBody(wrong) }
  const target = readTarget(raw, pointer, request)
  if ('problem' in target) return target
  const reading: OperationReading = { raw, pointer, target, ...request }
  switch (raw.op) {
    case 'add':
      return readAddition(reading)
    case 'update':
      return readChange(reading)
    case 'remove':
      return readRemoval(reading)
    default:
      return invalid(`${pointer}/op`, reason('not-one-of', { values: ['add', 'update', 'remove'] }))
  }
}

interface OperationReading extends AtomicRequest {
  readonly raw: { readonly [name: string]: unknown }
  readonly pointer: string
  readonly target: OperationTarget
}

/** The target of an operation: nothing is known if there is neither `ref` nor `href`. */
interface OperationTarget {
  readonly type?: Resource
  readonly key?: Key
  readonly relation?: Relation
  readonly operation?: Operation
  /** Its pointer. */
  readonly pointer: string
}

function readAddition({ raw, pointer, target, types, local, common: options }: OperationReading): ReadOperation {
  const { relation, operation } = target
  if (relation !== undefined) return { problem: unsupportedChange(target.pointer, fromOtherSide(relation)) }
  const type = target.type ?? typeIn(raw.data, `${pointer}/data`, types)
  if ('problem' in type) return type
  const expected = { type, pointer: `${pointer}/data`, meta: raw.meta, common: options, local }
  if (target.key === undefined) {
    const sent = readResource(raw.data, { ...expected, needs: 'type' })
    if ('problem' in sent) return sent
    const lid = isObject(raw.data) ? raw.data.lid : undefined
    if (lid !== undefined && typeof lid !== 'string')
      return invalid(`${pointer}/data/lid`, reason('type', { wants: 'string' }))
    return { type, sent, change: operationChange(creationOf(type), sent), ...(lid !== undefined && { lid }) }
  }
  if (operation === undefined) return invalid(target.pointer, reason('exists'))
  const sent = readResource(raw.data, { ...expected, alike: [operation.name], needs: 'nothing' })
  if ('problem' in sent) return sent
  return { type, sent, target: target.key, change: operationChange(operation, sent) }
}

function readChange({ raw, pointer, target, types, local, common }: OperationReading): ReadOperation {
  const at = `${pointer}/data`
  const type = target.type ?? typeIn(raw.data, at, types)
  if ('problem' in type) return type
  const { relation, operation } = target
  const identity = target.key === undefined ? identityIn(raw.data, at, type, local) : { key: target.key }
  if ('problem' in identity) return identity
  if (operation !== undefined) return invalid(target.pointer, reason('misplaced', { wants: 'add' }))
  const { key } = identity
  const expected = { type, pointer: at, meta: raw.meta, common, local }
  const sent =
    relation === undefined
      ? readResource(raw.data, { ...expected, target: key, needs: 'identity' })
      : readLinkageChange(raw.data, relation, expected)
  if ('problem' in sent) return sent
  return { type, sent, target: key, change: { attributes: sent.members }, ...(relation && { relation }) }
}

function readRemoval({ raw, pointer, target, common }: OperationReading): ReadOperation {
  const { type, key, relation } = target
  if (relation !== undefined) return { problem: unsupportedChange(target.pointer, fromOtherSide(relation)) }
  if (type === undefined || key === undefined) return invalid(`${pointer}/ref`, reason('required'))
  const expected = { type, needs: 'nothing', pointer: `${pointer}/data`, meta: raw.meta, common } as const
  const sent = readResource(undefined, expected)
  return 'problem' in sent ? sent : { type, sent, target: key, change: operationChange(deletionOf(type), sent) }
}

function readTarget(
  raw: { readonly [name: string]: unknown },
  pointer: string,
  request: AtomicRequest,
): OperationTarget | RefusedCall {
  const { ref, href } = raw
  const { types, local } = request
  if (ref !== undefined && href !== undefined)
    return invalid(`${pointer}/href`, reason('not-together', { other: 'ref' }))
  if (href !== undefined) return readAddress(href, `${pointer}/href`, request)
  const at = `${pointer}/ref`
  if (ref === undefined) return { pointer: at }
  if (!isObject(ref)) return invalid(at, NO_OBJECT)
  const wrong = unknownIn(ref, REF_MEMBERS, at)
  if (wrong.length > 0) return { problem: invalidBody(wrong) }
  const type = typeIn(ref, at, types)
  if ('problem' in type) return type
  const identity = identityIn(ref, at, type, local)
  if ('problem' in identity) return identity
  const found = relationIn(type, ref.relationship)
  if (ref.relationship === undefined || found.relation !== undefined)
    return { type, ...identity, pointer: at, ...found }
  return invalid(`${at}/relationship`, reason('unknown'))
}

/** `/jsonapi/deals`, `/jsonapi/deals/{id}`, `/jsonapi/deals/{id}/hold`, `/jsonapi/deals/{id}/relationships/customer`. */
function readAddress(href: unknown, pointer: string, { call, types }: AtomicRequest): OperationTarget | RefusedCall {
  const root = rootAt(call.service.addresses)
  const from = new URL(root, 'http://localhost')
  const url = typeof href === 'string' ? URL.parse(href, `${from.href}/`) : null
  const path = url?.pathname
  if (path === undefined || !path.startsWith(`${from.pathname}/`))
    return invalid(pointer, reason('malformed', { wants: 'address-below', root }))
  // An address of a change has no parameters: `dry-run=true` is said for all of them.
  if (url?.search !== '' || url.hash !== '' || isElsewhere(String(href), call)) return invalid(pointer, NOT_THERE)
  const [named = '', id, part, relationship, more] = path.slice(from.pathname.length + 1).split('/')
  const type = types.get(named)
  if (type === undefined || more !== undefined) return invalid(pointer, NOT_THERE)
  if (id === undefined) return { type, pointer }
  const key = keyFrom(type, id)
  if (part === undefined) return { type, key, pointer }
  const found = part === 'relationships' ? relationIn(type, relationship) : operationIn(type, part, relationship)
  return Object.keys(found).length === 0 ? invalid(pointer, NOT_THERE) : { type, key, pointer, ...found }
}

const NOT_THERE = reason('malformed', { wants: 'own-address' })

function relationIn(type: Resource, name: unknown): { readonly relation?: Relation } {
  const relation = typeof name === 'string' ? relationsIn(type).get(name) : undefined
  return relation === undefined ? {} : { relation }
}

function operationIn(type: Resource, name: string, further: string | undefined): { readonly operation?: Operation } {
  const operation = further === undefined ? operationNamed(name, type) : undefined
  return operation === undefined || operation.to === 'nothing' ? {} : { operation }
}

function typeIn(raw: unknown, pointer: string, types: AtomicRequest['types']): Resource | RefusedCall {
  const sent = isObject(raw) ? raw.type : undefined
  if (typeof sent !== 'string') return invalid(`${pointer}/type`, reason('required'))
  return types.get(sent) ?? invalid(`${pointer}/type`, reason('unknown', near(nearest(sent, types.keys()))))
}

/** The key that an id or a local id stands for. */
function identityIn(
  raw: unknown,
  pointer: string,
  type: Resource,
  local: LocalIds,
): { readonly key: Key } | RefusedCall {
  const { id, lid } = isObject(raw) ? raw : {}
  if (typeof id === 'string') return { key: keyFrom(type, id) }
  if (id !== undefined) return invalid(`${pointer}/id`, reason('type', { wants: 'string' }))
  if (lid === undefined) return invalid(`${pointer}/id`, reason('required'))
  const key = local(type.plural, lid)
  return key === undefined ? invalid(`${pointer}/lid`, NO_SUCH_LID) : { key }
}

const invalid = (pointer: string, why: Reason): RefusedCall => ({
  problem: wrongMember(pointer, why),
})

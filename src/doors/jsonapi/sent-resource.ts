import { invalidBody, type Problem, type RefusedCall, wrongMember } from '../../http/contract/problems/problem.ts'
import type { WriteWords } from '../../http/contract/write.ts'
import type { Key } from '../../model/declaration/resource.ts'
import { membersToCreate } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Relation } from '../../model/schema/resources.ts'
import { type Fault, type Reason, reason, within } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { NO_OBJECT, unknownMembers } from '../../values/members.ts'
import { keyFrom, relationsIn } from './resource-type.ts'
import { agreed, closedFaults, objectIn, readMeta, unknownIn } from './sent-meta.ts'

/** A resource object of a request: its fields and its options. */
export interface SentResource {
  /** Attributes, and the fields of its relationships. */
  readonly members: { readonly [name: string]: unknown }
  /** The fields that were sent as relationships. */
  readonly linked: ReadonlyMap<string, { readonly relation: Relation; readonly key: unknown; readonly pointer: string }>
  /** The linkage that was sent of relationships to many, which only their other side changes. */
  readonly linkedMany: readonly LinkageOfMany[]
  /** The pointer of the object. */
  readonly pointer: string
  /** The options of the write. */
  readonly meta: WriteWords
}

interface LinkageOfMany {
  readonly relation: Relation
  readonly data: unknown
  readonly pointer: string
}

/** The value for a resource that an earlier operation of the same request creates. */
export type LocalIds = (type: string, lid: unknown) => string | undefined

export interface Expected {
  readonly type: Resource
  /** Equivalent types, if the address is specific enough. */
  readonly alike?: readonly string[]
  /** The thing of the address; undefined for a creation. */
  readonly target?: Key
  /** The required members. */
  readonly needs: 'type' | 'identity' | 'nothing'
  readonly pointer: string
  /** The surrounding meta object, which refers to the same write. */
  readonly meta?: unknown
  /** The options of all operations of the request. */
  readonly common?: WriteWords
  readonly local?: LocalIds
}

type ReadResource = SentResource | RefusedCall

const OBJECT_MEMBERS = ['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']

export function readResource(raw: unknown, expected: Expected): ReadResource {
  const { pointer, needs, common = {} } = expected
  if (raw === undefined && needs === 'nothing') return readResource({}, expected)
  if (raw === undefined) return invalid([{ code: 'required', at: { pointer } }])
  if (!isObject(raw)) return invalid([{ ...NO_OBJECT, at: { pointer } }])
  const conflict = conflictOf(raw, expected)
  if (conflict !== undefined) return { problem: conflict }
  const faults: Fault[] = [
    ...unknownIn(raw, OBJECT_MEMBERS, pointer),
    ...closedFaults(raw.links, ['self'], `${pointer}/links`),
  ]
  const missing = needs === 'nothing' ? [] : needs === 'type' ? ['type'] : ['type', 'id']
  for (const name of missing.filter((each) => !Object.hasOwn(raw, each))) {
    if (name === 'id' && raw.lid !== undefined) continue
    faults.push({ code: 'required', at: { pointer: pointer + pointerTo(name) } })
  }
  const { attributes, flattened } = unflattened(
    objectIn(raw.attributes, `${pointer}/attributes`, faults),
    expected.type,
  )
  faults.push(...closedFaults(flattened.links, ['self'], `${pointer}/attributes/links`))
  const linked = joined(
    readRelationships(raw.relationships, `${pointer}/relationships`, expected, faults),
    readRelationships(flattened.relationships, `${pointer}/attributes`, expected, faults),
  )
  for (const [name, { relation }] of linked.fields) {
    if (!Object.hasOwn(attributes, name)) continue
    const at = { pointer: `${pointer}/attributes${pointerTo(name)}` }
    faults.push({ ...reason('misplaced', { wants: 'relationship', name: relation.name }), at })
  }
  // The surrounding document or operation has `meta` next to `data`.
  const around = readMeta(expected.meta, pointer.replace(/data$/, 'meta'), faults)
  const own = readMeta(raw.meta, `${pointer}/meta`, faults)
  const beside = readMeta(flattened.meta, `${pointer}/attributes/meta`, faults)
  const meta = agreed([common, ...around, ...own, ...beside])
  if (faults.length > 0) return invalid(faults)
  if ('problem' in meta) return meta
  const values = [...linked.fields].map(([name, { key }]) => [name, key] as const)
  const { fields, linkedMany } = linked
  return { members: { ...attributes, ...Object.fromEntries(values) }, linked: fields, linkedMany, pointer, ...meta }
}

interface Flattened {
  readonly relationships: Readonly<Record<string, unknown>>
  readonly links?: unknown
  readonly meta?: unknown
}

/**
 * Clients flatten what they read and send it back as attributes: kitsu relationships without data, jsona `links` and
 * `meta` of the resource.
 */
function unflattened(
  sent: Readonly<Record<string, unknown>>,
  type: Resource,
): { readonly attributes: Readonly<Record<string, unknown>>; readonly flattened: Flattened } {
  const isRelationship = (name: string, value: unknown): boolean =>
    relationsIn(type).has(name) && !type.names.includes(name) && isObject(value)
  const isOfResource = (name: string): boolean => (name === 'links' || name === 'meta') && !type.names.includes(name)
  const entries = Object.entries(sent)
  const relationships = entries.filter(([name, value]) => isRelationship(name, value))
  const ofResource = entries.filter(([name]) => isOfResource(name))
  if (relationships.length + ofResource.length === 0) return { attributes: sent, flattened: { relationships: {} } }
  const attributes = entries.filter(([name, value]) => !isRelationship(name, value) && !isOfResource(name))
  return {
    attributes: Object.fromEntries(attributes),
    flattened: { ...Object.fromEntries(ofResource), relationships: Object.fromEntries(relationships) },
  }
}

interface Linked {
  readonly fields: LinkedFields
  readonly linkedMany: readonly LinkageOfMany[]
}

const joined = (one: Linked, other: Linked): Linked => ({
  fields: new Map([...other.fields, ...one.fields]),
  linkedMany: [...one.linkedMany, ...other.linkedMany],
})

/** RFC 2119 MUST of JSON:API: a type or id that differs from the address is 409, a client-chosen id 403. */
function conflictOf(raw: Readonly<Record<string, unknown>>, expected: Expected): Problem | undefined {
  const { type, alike = [], target, pointer } = expected
  if (raw.type !== undefined && raw.type !== type.plural && !alike.includes(String(raw.type))) {
    return conflicting(`${pointer}/type`, mustBe(type.plural))
  }
  if (raw.id === undefined) return undefined
  if (typeof raw.id !== 'string') return wrongMember(`${pointer}/id`, reason('type', { wants: 'string' }))
  if (target !== undefined) {
    const isSame = String(keyFrom(type, raw.id)) === String(target)
    return isSame
      ? undefined
      : conflicting(`${pointer}/id`, reason('not-addressed', { on: type.name, id: String(target) }))
  }
  if (expected.needs !== 'type' || Object.hasOwn(membersToCreate(type), 'id')) return undefined
  return unsupportedChange(`${pointer}/id`, reason('set-by-service'))
}

const mustBe = (value: string): Reason => reason('not-one-of', { values: [value], only: value })

const conflicting = (pointer: string, why: Reason): Problem => ({
  code: 'identity-conflict',
  errors: [{ ...why, at: { pointer } }],
})

/** For features of JSON:API that this service does not support. */
export const unsupportedChange = (pointer: string, why: Reason): Problem => ({
  code: 'unsupported-change',
  errors: [{ ...why, at: { pointer } }],
})

type LinkedFields = SentResource['linked']

function readRelationships(raw: unknown, at: string, { type, local }: Expected, faults: Fault[]): Linked {
  const linkedMany: LinkageOfMany[] = []
  const fields = new Map<string, { readonly relation: Relation; readonly key: unknown; readonly pointer: string }>()
  const sent = objectIn(raw, at, faults)
  faults.push(...unknownMembers(sent, [...relationsIn(type).keys()]).map((fault) => within(at, fault)))
  for (const [name, relation] of relationsIn(type)) {
    if (!Object.hasOwn(sent, name)) continue
    const pointer = at + pointerTo(name)
    const own = sent[name]
    faults.push(...closedFaults(own, ['data', 'links', 'meta'], pointer))
    if (!isObject(own)) continue
    faults.push(...closedFaults(own.links, ['self', 'related'], `${pointer}/links`))
    faults.push(...closedFaults(own.meta, relation.kind === 'many' ? ['hasMore'] : [], `${pointer}/meta`))
    if (!Object.hasOwn(own, 'data')) {
      // As it is read: without data it asks for nothing.
      if (Object.keys(own).length === 0) faults.push({ code: 'required', at: { pointer: `${pointer}/data` } })
      continue
    }
    if (relation.kind === 'many') {
      linkedMany.push({ relation, data: own.data, pointer })
      continue
    }
    const read = readLinkage(own.data, relation, `${pointer}/data`, local)
    if ('fault' in read) faults.push(read.fault)
    else fields.set(relation.field, { relation, key: read.key, pointer })
  }
  return { fields, linkedMany }
}

export const fromOtherSide = ({ of, field }: Relation): Reason => reason('other-side', { of: of.plural, field })

/** The key of a resource identifier or null. */
export function readLinkage(
  raw: unknown,
  { of }: Relation,
  pointer: string,
  local: LocalIds = () => undefined,
): { readonly key: unknown } | { readonly fault: Fault } {
  if (raw === null) return { key: null }
  if (!isObject(raw)) return { fault: { ...reason('type', { wants: 'identifier' }), at: { pointer } } }
  const [unknown] = [
    ...unknownIn(raw, ['type', 'id', 'lid', 'meta'], pointer),
    ...closedFaults(raw.meta, [], `${pointer}/meta`),
  ]
  if (unknown !== undefined) return { fault: unknown }
  if (raw.type !== of.plural) return { fault: { ...mustBe(of.plural), at: { pointer: `${pointer}/type` } } }
  if (raw.lid !== undefined && raw.id === undefined) {
    const key = local(of.plural, raw.lid)
    return key === undefined ? { fault: { ...NO_SUCH_LID, at: { pointer: `${pointer}/lid` } } } : { key }
  }
  if (typeof raw.id !== 'string')
    return { fault: { ...reason('type', { wants: 'string' }), at: { pointer: `${pointer}/id` } } }
  return { key: keyFrom(of, raw.id) }
}

/** The change of a relationship to one, as its resource would send it. */
export function readLinkageChange(raw: unknown, relation: Relation, expected: Omit<Expected, 'needs'>): ReadResource {
  const { pointer, local } = expected
  if (relation.kind === 'many') return { problem: unsupportedChange(pointer, fromOtherSide(relation)) }
  const read = readLinkage(raw, relation, pointer, local)
  if ('fault' in read) return invalid([read.fault])
  const around = readResource(undefined, { ...expected, needs: 'nothing' })
  if ('problem' in around) return around
  const { key } = read
  const linked = new Map([[relation.field, { relation, key, pointer }]])
  return { ...around, members: { [relation.field]: key }, linked }
}

export const NO_SUCH_LID = reason('unknown-lid')

const invalid = (faults: readonly Fault[]): RefusedCall => ({
  problem: invalidBody(faults),
})

import type { Key } from '../../../model/resource.ts'
import { membersToCreate } from '../../../model/resource.ts'
import type { Relation } from '../../../model/resources.ts'
import { isOrdinal } from '../../../values/kinds/number.ts'
import { type Fault, isObject, NO_OBJECT, pointerTo, unknownMembers } from '../../../values/members.ts'
import { nearest } from '../../../values/nearest.ts'
import { whatIsWrong } from '../../request/command-id.ts'
import { invalidBody, type Problem, refusalProblem } from '../../respond/problems/problem.ts'
import { keyFrom, type ResourceType } from './resource-type.ts'

/** A resource object of a request: what it says of the fields, and under which conditions. */
export interface SentResource {
  /** Attributes, and the fields that its relationships stand for. */
  readonly members: { readonly [name: string]: unknown }
  /** Those that came as relationships. */
  readonly linked: ReadonlyMap<string, { readonly relation: Relation; readonly key: unknown; readonly pointer: string }>
  /** Where the object stands. */
  readonly pointer: string
  readonly meta: SentMeta
}

export interface SentMeta {
  readonly commandId?: string
  readonly revision?: number
}

/** The value that stands for a resource which an earlier operation of the same request makes. */
export type LocalIds = (type: string, lid: unknown) => string | undefined

export interface Expected {
  readonly type: ResourceType
  /** Other types that say the same, where the address says enough. */
  readonly alike?: readonly string[]
  /** The thing of the address; undefined for a creation. */
  readonly target?: Key
  /** What must be there. */
  readonly needs: 'type' | 'identity' | 'nothing'
  readonly pointer: string
  /** The meta object around it, which its own goes before. */
  readonly meta?: unknown
  readonly local?: LocalIds
}

type ReadResource = SentResource | { readonly problem: Problem }

const OBJECT_MEMBERS = ['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']

export function readResource(raw: unknown, expected: Expected): ReadResource {
  const { pointer, needs } = expected
  if (raw === undefined && needs === 'nothing') return readResource({}, expected)
  if (raw === undefined) return invalid([{ pointer, detail: 'is required' }])
  if (!isObject(raw)) return invalid([{ pointer, detail: NO_OBJECT }])
  const conflict = conflictOf(raw, expected)
  if (conflict !== undefined) return { problem: conflict }
  const faults: Fault[] = [...misspelt(raw, OBJECT_MEMBERS, pointer)]
  const missing = needs === 'nothing' ? [] : needs === 'type' ? ['type'] : ['type', 'id']
  for (const name of missing.filter((each) => !Object.hasOwn(raw, each))) {
    if (name === 'id' && raw.lid !== undefined) continue
    faults.push({ pointer: pointer + pointerTo(name), detail: 'is required' })
  }
  const linked = readRelationships(raw.relationships, expected, faults)
  if ('problem' in linked) return linked
  const attributes = objectIn(raw.attributes, `${pointer}/attributes`, faults)
  for (const [name, { relation }] of linked.fields) {
    if (!Object.hasOwn(attributes, name)) continue
    faults.push({ pointer: `${pointer}/attributes${pointerTo(name)}`, detail: `is the relationship ${relation.name}` })
  }
  // The document or the operation around it has `meta` beside `data`.
  const around = readMeta(expected.meta, pointer.replace(/data$/, 'meta'), faults)
  const meta = { ...around, ...readMeta(raw.meta, `${pointer}/meta`, faults) }
  if (faults.length > 0) return invalid(faults)
  const values = [...linked.fields].map(([name, { key }]) => [name, key] as const)
  return { members: { ...attributes, ...Object.fromEntries(values) }, linked: linked.fields, pointer, meta }
}

/** RFC 2119 MUST of JSON:API: another type or id than the address has is 409, an id that cannot be chosen 403. */
function conflictOf(raw: Readonly<Record<string, unknown>>, expected: Expected): Problem | undefined {
  const { type, alike = [], target, pointer } = expected
  if (raw.type !== undefined && raw.type !== type.type && !alike.includes(String(raw.type))) {
    return conflicting(`${pointer}/type`, `must be ${type.type} here`)
  }
  if (raw.id === undefined) return undefined
  if (typeof raw.id !== 'string') return refusalProblem(required(`${pointer}/id`, 'must be a string'))
  if (target !== undefined) {
    const isSame = String(keyFrom(type.resource, raw.id)) === String(target)
    return isSame ? undefined : conflicting(`${pointer}/id`, 'is not the one of the address')
  }
  if (expected.needs !== 'type' || Object.hasOwn(membersToCreate(type.resource), 'id')) return undefined
  return unsupportedChange(`${pointer}/id`, `is chosen by the service for ${type.type}`)
}

const required = (pointer: string, detail: string) => ({ code: 'invalid', faults: [{ pointer, detail }] }) as const

const conflicting = (pointer: string, detail: string): Problem => ({
  code: 'identity-conflict',
  detail: `${pointer} ${detail}.`,
  errors: [{ pointer, detail }],
})

/** For what JSON:API has, and this service does not. */
export const unsupportedChange = (pointer: string, detail: string): Problem => ({
  code: 'unsupported-change',
  detail: `${pointer} ${detail}.`,
  errors: [{ pointer, detail }],
})

type LinkedFields = SentResource['linked']

function readRelationships(
  raw: unknown,
  { type, pointer: around, local }: Expected,
  faults: Fault[],
): { readonly fields: LinkedFields } | { readonly problem: Problem } {
  const fields = new Map<string, { readonly relation: Relation; readonly key: unknown; readonly pointer: string }>()
  const at = `${around}/relationships`
  const sent = objectIn(raw, at, faults)
  faults.push(...within(at, unknownMembers(sent, [...type.relations.keys()])))
  for (const [name, relation] of type.relations) {
    if (!Object.hasOwn(sent, name)) continue
    const pointer = at + pointerTo(name)
    if (relation.kind === 'many') return { problem: unsupportedChange(pointer, fromOtherSide(relation)) }
    const own = sent[name]
    if (!isObject(own) || !Object.hasOwn(own, 'data')) {
      faults.push({ pointer: `${pointer}/data`, detail: 'is required' })
      continue
    }
    const read = readLinkage(own.data, relation, `${pointer}/data`, local)
    if ('fault' in read) faults.push(read.fault)
    else fields.set(relation.field, { relation, key: read.key, pointer })
  }
  return { fields }
}

export const fromOtherSide = ({ of, field }: Relation): string =>
  `is changed from its other side, by the relationship of ${of.plural} that ${field} stands for`

/** The key that a resource identifier or null stands for. */
export function readLinkage(
  raw: unknown,
  { of }: Relation,
  pointer: string,
  local: LocalIds = () => undefined,
): { readonly key: unknown } | { readonly fault: Fault } {
  if (raw === null) return { key: null }
  if (!isObject(raw)) return { fault: { pointer, detail: 'must be a resource identifier or null' } }
  if (raw.type !== of.plural) return { fault: { pointer: `${pointer}/type`, detail: `must be ${of.plural}` } }
  if (raw.lid !== undefined && raw.id === undefined) {
    const key = local(of.plural, raw.lid)
    return key === undefined ? { fault: { pointer: `${pointer}/lid`, detail: NO_SUCH_LID } } : { key }
  }
  if (typeof raw.id !== 'string') return { fault: { pointer: `${pointer}/id`, detail: 'must be a string' } }
  return { key: keyFrom(of, raw.id) }
}

export const NO_SUCH_LID = 'names nothing that an earlier operation makes'

const META = ['commandId', 'revision']

function readMeta(raw: unknown, pointer: string, faults: Fault[]): SentMeta {
  const { commandId, revision, ...rest } = objectIn(raw, pointer, faults)
  faults.push(...misspelt(rest, META, pointer))
  const wrongId = typeof commandId === 'string' ? whatIsWrong(commandId) : 'must be a string'
  if (commandId !== undefined && wrongId !== undefined) {
    faults.push({ pointer: `${pointer}/commandId`, detail: wrongId })
  }
  if (revision !== undefined && !isOrdinal(revision)) {
    faults.push({ pointer: `${pointer}/revision`, detail: 'must be a revision' })
  }
  return {
    ...(typeof commandId === 'string' && { commandId }),
    ...(isOrdinal(revision) && { revision }),
  }
}

/** An object without its @-members, which mean nothing here. */
function objectIn(raw: unknown, pointer: string, faults: Fault[]): Readonly<Record<string, unknown>> {
  if (raw === undefined) return {}
  if (isObject(raw)) return Object.fromEntries(Object.entries(raw).filter(([name]) => !name.startsWith('@')))
  faults.push({ pointer, detail: NO_OBJECT })
  return {}
}

/** JSON:API ignores members that it does not know; one that is nearly known is a mistake. decisions/0040 */
export function misspelt(raw: object, known: readonly string[], pointer: string): readonly Fault[] {
  const isMistake = (name: string): boolean => !name.startsWith('@') && nearest(name, known) !== undefined
  return within(
    pointer,
    unknownMembers(raw, known).filter((each) => isMistake(each.pointer.slice(1))),
  )
}

const within = (pointer: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }))

const invalid = (faults: readonly Fault[]): { readonly problem: Problem } => ({
  problem: invalidBody(faults),
})

import type { RefusedCall } from '../../http/contract/problems/problem.ts'
import { orNearest } from '../../http/contract/problems/told-problem.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import type { Relation } from '../../model/schema/resources.ts'
import { answerBounds } from '../../values/bounds.ts'
import type { DoorCall } from '../door.ts'
import { NAMESPACE } from './model/edm.ts'
import { aliasOf, type EntitySet, entitySetsIn, isComplex, setOf } from './model/entity-sets.ts'

/** The place of an entity: in its set under a key or a unique value, such as `{ reference: 'A-0004' }`, or at the end of a navigation. */
export type EntityPlace =
  | { readonly set: EntitySet; readonly key: unknown }
  | { readonly set: EntitySet; readonly from: EntityPlace; readonly by: Relation }

/** The meaning of an address. */
export type OdataPlace =
  | { readonly kind: 'service' | 'metadata' | 'batch' }
  | EntitiesPlace
  | { readonly kind: 'entity'; readonly entity: EntityPlace }
  | PropertyPlace
  | { readonly kind: 'action'; readonly set: EntitySet; readonly operation: Operation; readonly entity?: EntityPlace }

/** A property of an entity, or a member of it if it is complex. */
export interface PropertyPlace {
  readonly kind: 'property'
  readonly entity: EntityPlace
  readonly property: string
  readonly member?: string
  readonly raw: boolean
}

export interface EntitiesPlace {
  readonly kind: 'entities' | 'count'
  readonly set: EntitySet
  /** The entity whose navigation leads here; all of the set without one. */
  readonly from?: EntityPlace
  readonly by?: Relation
}

type ReadPlace = OdataPlace | RefusedCall

/** Reads the part of an address after the root of the door, percent-encoded. */
export function readPlace(path: string, { schema }: Pick<DoorCall, 'schema'>): ReadPlace {
  const segments: string[] = []
  for (const segment of path.split('/').filter((each) => each !== '')) {
    const text = decoded(segment)
    if (text === undefined) return malformed('A segment of the address is no percent-encoded UTF-8.')
    segments.push(text)
  }
  const [first, ...rest] = segments
  if (first === undefined) return { kind: 'service' }
  if (rest.length === 0 && first === '$metadata') return { kind: 'metadata' }
  if (rest.length === 0 && first === '$batch') return { kind: 'batch' }
  if (segments.length > answerBounds.segments) return missing('The address has too many segments.')
  const [, name = '', predicate] = named.exec(first) ?? []
  const sets = entitySetsIn(schema)
  const set = sets.get(name)
  if (set === undefined) return missing(`There is no entity set ${shown(first)}${orNearest(name, sets.keys())}`)
  if (predicate === undefined) return inEntities({ kind: 'entities', set }, rest)
  const key = readKey(set, predicate)
  return 'problem' in key ? key : inEntity({ set, key: key.key }, rest)
}

const named = /^(\w+)(?:\((.*)\))?$/s

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * OData 4.01 URL Conventions §4.3.1: texts are in quotes, numbers are not; a UUID may be, since clients take it for a
 * text.
 */
function readKey(set: EntitySet, predicate: string): { readonly key: unknown } | RefusedCall {
  const { name, key, properties } = set
  const [, alternate = key, value = ''] = /^([A-Za-z][\w/]*)=(.*)$/s.exec(predicate) ?? []
  if (alternate !== key) return readAlternateKey(set, alternate, value)
  const text = predicate.startsWith(`${key}=`) ? predicate.slice(key.length + 1) : predicate
  const type = properties.get(key)?.type
  const quoted = /^'((?:[^']|'')*)'$/s.exec(text)?.[1]
  if (type === 'Edm.String') {
    return quoted === undefined
      ? malformed(`The key of ${name} is a text and stands in quotes, as in ${name}('…').`)
      : { key: quoted.replaceAll("''", "'") }
  }
  if (type === 'Edm.Guid') return { key: quoted ?? text }
  if (text.includes("'")) return malformed(`The key of ${name} is no text and stands without quotes: ${name}(…).`)
  return { key: /^\d{1,16}$/.test(text) ? Number(text) : text }
}

/** A unique field is an alternate key (4.01, URL Conventions §4.3.2); an added one may have `_` in place of `/`. */
function readAlternateKey(
  { name, resource }: EntitySet,
  alternate: string,
  value: string,
): { readonly key: unknown } | RefusedCall {
  const uniques = resource?.uniques ?? []
  const field = uniques.find((each) => aliasOf(each) === alternate.replace('/', '_'))
  const kind = field === undefined ? undefined : resource?.kinds[field]
  if (field === undefined || kind === undefined)
    return malformed(`${shown(alternate)} is no key of ${name}${orNearest(alternate, uniques.map(aliasOf))}`)
  const quoted = /^'((?:[^']|'')*)'$/s.exec(value)?.[1]?.replaceAll("''", "'")
  if (kind.name === 'text' && quoted === undefined)
    return malformed(`${alternate} is a text and stands in quotes, as in ${name}(${alternate}='…').`)
  return { key: { [field]: quoted ?? value } }
}

function inEntities(place: EntitiesPlace, [next, ...rest]: readonly string[]): ReadPlace {
  if (next === undefined) return place
  if (next === '$count' && rest.length === 0) return { ...place, kind: 'count' }
  const operation = rest.length === 0 && place.from === undefined ? actionIn(place.set, next) : undefined
  if (operation?.to === 'nothing') return { kind: 'action', set: place.set, operation }
  return missing(`There is nothing at ${shown(next)} of ${place.set.name}.`)
}

function inEntity(entity: EntityPlace, [next, ...rest]: readonly string[]): ReadPlace {
  const { set } = entity
  if (next === undefined) return { kind: 'entity', entity }
  if (set.properties.has(next)) return inProperty(entity, next, rest)
  const by = navigationIn(set, next)
  if (by !== undefined) {
    const to = setOf(by.of)
    if (by.kind === 'one') return inEntity({ set: to, from: entity, by }, rest)
    return inEntities({ kind: 'entities', set: to, from: entity, by }, rest)
  }
  const operation = rest.length === 0 ? actionIn(set, next) : undefined
  if (operation !== undefined && operation.to !== 'nothing') return { kind: 'action', set, operation, entity }
  const known = [...set.properties.keys(), ...set.collection.relations.keys(), ...actionNames(set)]
  return missing(`There is no ${shown(next)} of ${set.type}${orNearest(next, known)}`)
}

function inProperty(entity: EntityPlace, property: string, rest: readonly string[]): ReadPlace {
  const raw = rest.at(-1) === '$value'
  const [member, further] = raw ? rest.slice(0, -1) : rest
  if (member === undefined) return { kind: 'property', entity, property, raw }
  const hasMembers = isComplex(entity.set, property)
  if (hasMembers && further === undefined) return { kind: 'property', entity, property, member, raw }
  const [at, of] = hasMembers ? [further ?? '', member] : [member, property]
  return missing(`There is nothing at ${shown(at)} of ${shown(of)}.`)
}

/** Navigations begin with a small letter, as properties do; a capital one is accepted. */
export const navigationIn = ({ collection: { relations } }: EntitySet, name: string): Relation | undefined =>
  relations.get(name) ?? relations.get(name.charAt(0).toLowerCase() + name.slice(1))

const actionIn = ({ actions }: EntitySet, segment: string): Operation | undefined =>
  segment.startsWith(`${NAMESPACE}.`) ? actions.get(segment.slice(NAMESPACE.length + 1)) : undefined

const actionNames = ({ actions }: EntitySet): readonly string[] =>
  [...actions.keys()].map((name) => `${NAMESPACE}.${name}`)

const shown = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)

const missing = (detail: string): RefusedCall => ({ problem: { code: 'not-found', detail } })

const malformed = (detail: string): RefusedCall => ({
  problem: { code: 'malformed-request', detail },
})

/** The address of an entity below the root. */
export const entityPath = ({ name, key, properties }: EntitySet, id: unknown): string =>
  properties.get(key)?.type === 'Edm.String'
    ? `${name}('${encodeURIComponent(String(id).replaceAll("'", "''"))}')`
    : `${name}(${id})`

/** An address may be relative to the root, or whole. */
export const belowRoot = (address: string): string => address.replace(/^(?:[a-z]+:\/\/[^/]*)?\/.*?odata\//i, '')

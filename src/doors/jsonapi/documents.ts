import { type ReadRelated, readRelated, showRelated } from '../../http/ask/related.ts'
import type { Addresses } from '../../http/contract/addresses.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { project } from '../../representations/project.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { isExactNumber, parseExact } from '../../values/json/exact-numbers.ts'
import type { Json } from '../../values/json/json.ts'
import { groupOf } from '../../values/json/places.ts'
import type { DoorCall } from '../door.ts'
import { addressOf, attributesOf, relationsIn } from './resource-type.ts'
import type { Inclusion, Shape } from './shape.ts'

export interface Identifier {
  readonly type: string
  readonly id: string
}

/** A thing for a resource object: its type and its JSON text. */
export interface ShownThing {
  readonly type: Resource
  readonly json: string
  /** Set for the result of a dry run: no revision that could be sent back, and without an id no links either. */
  readonly tried?: boolean
}

interface ParsedThing extends ShownThing {
  readonly item: ReferringThing
}

/** The members that links and linkage need. */
type ReferringThing = { readonly id: Key; readonly revision: number } & { readonly [field: string]: Key | null }

export const jsonapi = { version: '1.1' }

export const identifierOf = (type: string, id: Key): Identifier => ({ type, id: String(id) })

/** Members of a document in addition to its primary data. */
export interface DocumentMembers {
  readonly links?: Json
  readonly meta?: Json
}

/** A document of one resource, of a list of them, or of none. */
export async function resourceDocument(
  primary: ShownThing | readonly ShownThing[] | null,
  shape: Shape,
  members: DocumentMembers,
  call: Pick<DoorCall, 'desk' | 'service' | 'budget'>,
): Promise<string> {
  const { addresses } = call.service
  const isList = Array.isArray(primary)
  const shown = await mapInTurns(isList ? primary : primary === null ? [] : [primary], parsed)
  const related = await findRelated(shown, shape.include ?? [], call)
  const write = (thing: ParsedThing): string => objectText(thing, shape, related, addresses)
  const texts = await mapInTurns(shown, write)
  const data = isList ? `[${texts.join()}]` : (texts[0] ?? 'null')
  const included =
    shape.include === undefined ? '' : `,"included":[${(await mapInTurns(related.included, write)).join()}]`
  return documentText(`"data":${data}${included}`, members)
}

export const documentText = (data: string, { links, meta }: DocumentMembers): string =>
  `{"jsonapi":${JSON.stringify(jsonapi)},${data}${member('links', links)}${member('meta', meta)}}`

const member = (name: string, value: Json | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`

/** A resource object by itself. */
export const objectOf = (thing: ShownThing, shape: Shape, addresses: Addresses): string =>
  objectText(parsed(thing), shape, nothingRelated, addresses)

const parsed = (thing: ShownThing): ParsedThing => ({ ...thing, item: parseExact(thing.json) as ReferringThing })

/** The included resources, and the linkage of to-many relationships. */
interface Related {
  readonly included: readonly ParsedThing[]
  /** By the resource and the name of its relationship. */
  readonly linkage: ReadonlyMap<string, Linkage>
}

interface Linkage {
  readonly data: readonly Identifier[]
  readonly hasMore: boolean
}

const nothingRelated: Related = { included: [], linkage: new Map() }

const nameOf = ({ type, item }: ParsedThing): string => `${type.plural} ${item.id}`

/** Each relation takes one read, however many things refer to it; nothing is included twice. */
async function findRelated(
  primary: readonly ParsedThing[],
  include: readonly Inclusion[],
  call: Pick<DoorCall, 'desk' | 'service' | 'budget'>,
): Promise<Related> {
  if (include.length === 0) return nothingRelated
  const present = new Set(primary.map(nameOf))
  const included: ParsedThing[] = []
  const linkage = new Map<string, Linkage>()
  const read: ReadRelated = (relation, keys) => readRelated(relation, keys, call)

  async function follow(things: readonly ParsedThing[], { relation, further }: Inclusion): Promise<void> {
    const type = relation.of
    const items = things.map(({ item }) => item)
    const related = await showRelated(relation, items, read, (texts) => texts.map((json) => parsed({ type, json })))
    const reached = new Map<string, ParsedThing>()
    for (const thing of things) {
      const { things: linked, hasMore } = related(thing.item)
      for (const each of linked) reached.set(nameOf(each), each)
      if (relation.kind === 'one') continue
      const data = linked.map(({ item }) => identifierOf(type.plural, item.id))
      linkage.set(`${nameOf(thing)} ${relation.name}`, { data, hasMore })
    }
    for (const [called, thing] of reached) {
      if (present.has(called)) continue
      present.add(called)
      included.push(thing)
    }
    for (const each of further) await follow([...reached.values()], each)
  }

  for (const each of include) await follow(primary, each)
  return { included, linkage }
}

function objectText(thing: ParsedThing, { fields }: Shape, related: Related, addresses: Addresses): string {
  const { type, json, item } = thing
  const chosen = fields.get(type.plural)
  const shows = (name: string): boolean => chosen?.has(name) ?? true
  const names = attributesOf(type).filter((name) => shows(name) || shows(groupOf(name)))
  const attributes = type.added.length === 0 && isFlat(item, names) ? membersText(item, names) : project(json, names)
  const isThere = item.id !== undefined
  const self = addressOf(addresses, type, item.id)
  const relationships = [...relationsIn(type).values()]
    .filter(({ name, kind, field }) => shows(name) && (kind === 'many' || field in item))
    .map((relation): [string, Json] => {
      const { name, kind, of, field } = relation
      const links = isThere && { links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` } }
      if (kind === 'one') return [name, { ...links, data: linkageOf(of.plural, item[field] ?? null) }]
      const known = related.linkage.get(`${nameOf(thing)} ${name}`)
      if (known === undefined) return [name, { ...links, ...(!isThere && { data: [] }) }]
      return [name, { ...links, data: known.data.map(toJson), ...(known.hasMore && { meta: { hasMore: true } }) }]
    })
  return [
    `{"type":"${type.plural}"${isThere ? `,"id":${JSON.stringify(String(item.id))}` : ''}`,
    attributes === '{}' ? '' : `,"attributes":${attributes}`,
    relationships.length === 0 ? '' : `,"relationships":${JSON.stringify(Object.fromEntries(relationships))}`,
    isThere ? `,"links":{"self":${JSON.stringify(self)}}` : '',
    thing.tried ? '}' : `,"meta":{"revision":${item.revision}}}`,
  ].join('')
}

/** Whether nothing has parts. */
const isFlat = (item: ReferringThing, names: readonly string[]): boolean =>
  names.every((name) => {
    const value = item[name] ?? null
    return value === null || typeof value !== 'object' || isExactNumber(value)
  })

/** Much faster than reading the text again. A list of names given to JSON.stringify would hold inside values, too. */
function membersText(item: ReferringThing, names: readonly string[]): string {
  const members: Record<string, Key | null | undefined> = {}
  for (const name of names) members[name] = item[name]
  return JSON.stringify(members)
}

const toJson = ({ type, id }: Identifier): Json => ({ type, id })

/** The linkage of a relation to one. */
export const linkageOf = (type: string, id: Key | null): Json => (id === null ? null : toJson(identifierOf(type, id)))

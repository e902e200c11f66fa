import { type FindResult, findLive } from '../../http/ask/find.ts'
import { referredTo } from '../../http/ask/related.ts'
import { type Problem, parameterProblem, placedAnew, type RefusedCall } from '../../http/contract/problems/problem.ts'
import type { PageCursors } from '../../http/respond/page-links.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Relation } from '../../model/schema/resources.ts'
import type { Collection } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import type { Parameter, QueryString } from '../../queries/query-string.ts'
import { placeNames } from '../../queries/settings.ts'
import { equals } from '../../queries/term.ts'
import type { Stored, TextPage } from '../../store/port/desk.ts'
import { withQuery } from '../../values/address.ts'
import { answerBounds, requestBounds } from '../../values/bounds.ts'
import { type Fault, near, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Json } from '../../values/json/json.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../door.ts'
import { readList } from '../kit/reads.ts'
import { contentTag, judged } from '../kit/tags.ts'
import { documentText, identifierOf, linkageOf, resourceDocument, type ShownThing } from './documents.ts'
import { MEDIA_TYPE } from './media-type.ts'
import { addressOf, keyFrom, relationsIn } from './resource-type.ts'
import { includesMany, readShape, type Shape, wholeShape } from './shape.ts'

export const document = (content: string, status = 200, headers: DoorAnswer['headers'] = {}): DoorAnswer => ({
  status,
  headers,
  content,
  contentType: MEDIA_TYPE,
})

/** GET /jsonapi/deals */
export async function answerList(type: Resource, call: DoorCall, scope: Filter = []): Promise<DoorResult> {
  const read = readShape(type, call.query)
  if ('problem' in read) return read
  const { shape } = read
  const listed = await list(type, read.rest, call, scope, shape)
  if ('problem' in listed) return listed
  const things = Array.from(listed.page.items, (json): ShownThing => ({ type, json }))
  return document(await resourceDocument(things, shape, listed.members, call))
}

/** GET /jsonapi/deals/{id} */
export async function answerOne(type: Resource, id: string, call: DoorCall): Promise<DoorResult> {
  const shape = readOnlyShape(type, call.query)
  if ('problem' in shape) return shape
  const found = await findAt(type, id, call)
  if ('problem' in found) return found
  const { thing } = found
  const content = await resourceDocument({ type, json: thing.json }, shape, { links: { self: selfOf(call) } }, call)
  // A document that shows several things is not the state of one.
  return shape.include === undefined ? validated(thing, content, call) : document(content)
}

/** GET /jsonapi/deals/{id}/customer, GET /jsonapi/customers/{id}/deals */
export async function answerRelated(
  type: Resource,
  id: string,
  relation: Relation,
  call: DoorCall,
): Promise<DoorResult> {
  const of = relation.of
  const shape = relation.kind === 'one' ? readOnlyShape(of, call.query) : wholeShape
  if ('problem' in shape) return shape
  const found = await findAt(type, id, call)
  if ('problem' in found) return found
  if (relation.kind === 'many') return answerList(of, call, scopeOf(relation, found.thing.id))
  const key = referredTo(found.thing, relation)
  if (key === null) return document(await resourceDocument(null, shape, { links: { self: selfOf(call) } }, call))
  const related = await findLive(relation.of, key, call)
  if ('problem' in related) return related
  // No tag: next time the address may show another thing that is in the same state.
  const shown = { type: of, json: related.thing.json }
  return document(await resourceDocument(shown, shape, { links: { self: selfOf(call) } }, call))
}

/** GET /jsonapi/deals/{id}/relationships/customer */
export async function answerLinkage(
  type: Resource,
  id: string,
  relation: Relation,
  call: DoorCall,
): Promise<DoorResult> {
  const wrong = relation.kind === 'one' ? parametersFault(call) : undefined
  if (wrong !== undefined) return { problem: wrong }
  const found = await findAt(type, id, call)
  if ('problem' in found) return found
  const of = relation.of
  const related = `${addressOf(call.service.addresses, type, found.thing.id)}/${relation.name}`
  if (relation.kind === 'one') {
    const links = { self: selfOf(call), related }
    return validated(found.thing, linkageText(of, referredTo(found.thing, relation), links), call)
  }
  const listed = await list(of, call.query.parameters, call, scopeOf(relation, found.thing.id))
  if ('problem' in listed) return listed
  const { links, ...members } = listed.members
  const identifiers = Array.from(listed.page.items, (json) =>
    identifierOf(of.plural, (JSON.parse(json) as { id: Key }).id),
  )
  return document(documentText(`"data":${JSON.stringify(identifiers)}`, { ...members, links: { ...links, related } }))
}

const findAt = (type: Resource, id: string, call: DoorCall): Promise<FindResult> =>
  findLive(type, keyFrom(type, id), call)

export const linkageText = (of: Resource, key: Key | null, links: Json): string =>
  documentText(`"data":${JSON.stringify(linkageOf(of.plural, key))}`, { links })

const scopeOf = ({ of, field }: Relation, key: Key): Filter => [equals(collectionOf(of), field, key)]

/** The address of a request, as a link. */
export const selfOf = ({ service, path, query }: DoorCall): string =>
  withQuery(service.addresses.base + path, query.parameters)

/** `include` and `fields[…]`, at an address without other parameters. */
export function readOnlyShape(type: Resource, query: QueryString): Shape | RefusedCall {
  const read = readShape(type, query)
  if ('problem' in read) return read
  if (read.rest.length === 0) return read.shape
  const known = ['include', `fields[${type.plural}]`]
  return { problem: parameterProblem(read.rest.map(({ name }) => unknownParameter(name, nearest(name, known)))) }
}

/** At an address without any parameters. */
export function parametersFault({ query }: DoorCall): Problem | undefined {
  if (query.parameters.length === 0) return undefined
  return parameterProblem(query.parameters.map(({ name }) => unknownParameter(name)))
}

const unknownParameter = (parameter: string, meant?: string): Fault => ({
  ...reason('unknown', near(meant)),
  at: { parameter },
})

/** With the tag of the thing, unless the caller has already seen it. */
const validated = (thing: Stored, content: string, call: DoorCall): DoorResult =>
  judged(document(content, 200, { etag: contentTag(thing, content, call) }), thing, call)

interface LinkedPage {
  readonly page: TextPage
  readonly members: { readonly links: { readonly [name: string]: string }; readonly meta?: Json }
}

/** A page of a collection, with its links and, if requested, its count. */
async function list(
  type: Resource,
  parameters: readonly Parameter[],
  call: DoorCall,
  scope: Filter,
  { include = [] }: Partial<Pick<Shape, 'include'>> = {},
): Promise<LinkedPage | RefusedCall> {
  const collection = collectionOf(type)
  const unknown = parameters.filter(({ name }) => !isListParameter(name))
  if (unknown.length > 0) {
    return { problem: parameterProblem(unknown.map(({ name }) => unknownParameter(name, meantBy(name, collection)))) }
  }
  const sent = parameters.map((each) => renamed(each, type))
  const options = { scope, ...(includesMany(include) && { most: answerBounds.related }) }
  const read = await readList(collection, { text: call.query.text, parameters: sent }, call, options)
  if ('problem' in read) return { problem: asSent(read.problem, sent, parameters) }
  const { page, cursors } = read
  return {
    page,
    members: {
      links: pageLinks(call, cursors, page),
      ...(page.total !== undefined && { meta: { total: page.total } }),
    },
  }
}

/** The families of JSON:API, the search, and the parameter for the count. */
const isListParameter = (name: string): boolean =>
  /^(?:filter|page)\[/.test(name) || ['filter', 'sort', 'q', 'count', '$count'].includes(name)

const meantBy = (name: string, { fields }: Collection): string | undefined =>
  fields.has(name) ? `filter[${name}]` : nearest(name, ['filter', 'sort', 'page[size]'])

/** `filter[customer]=7` filters by the field of the relationship. */
function renamed(parameter: Parameter, type: Resource): Parameter {
  const [, name = '', rest = ''] = /^filter\[([^[\]]*)\]((?:\[(?:in|eq|ne|null)?\])?)$/.exec(parameter.name) ?? []
  const relation = relationsIn(type).get(name)
  return relation?.kind === 'one' ? { ...parameter, name: `filter[${relation.field}]${rest}` } : parameter
}

/** Names the parameters of a problem as they were sent. */
function asSent(problem: Problem, read: readonly Parameter[], sent: readonly Parameter[]): Problem {
  const names = new Map(read.map(({ name }, at) => [name, sent[at]?.name]))
  return placedAnew(problem, (at) => ({
    ...at,
    ...(at.parameter !== undefined && { parameter: names.get(at.parameter) ?? at.parameter }),
  }))
}

function pageLinks(
  call: DoorCall,
  { after, before }: PageCursors,
  { hasMore, hasLess }: TextPage,
): { readonly [name: string]: string } {
  const address = call.service.addresses.base + call.path
  const start = call.query.parameters.filter(({ name }) => !placeNames.has(name))
  const first = withQuery(address, start)
  const at = (name: string, cursor: string): string =>
    withQuery(address, [...start, { raw: `page%5B${name}%5D=${encodeURIComponent(cursor)}` }])
  const links = {
    self: selfOf(call),
    first,
    // A page past the end has no row to go back from.
    ...(hasLess && { prev: before === undefined ? first : at('before', before) }),
    ...(hasMore && after !== undefined && { next: at('after', after) }),
  }
  return Object.fromEntries(Object.entries(links).filter(([, href]) => href.length <= requestBounds.address))
}

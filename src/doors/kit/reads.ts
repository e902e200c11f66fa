import { expandItems } from '../../http/ask/expand.ts'
import { findLive } from '../../http/ask/find.ts'
import { readPage, searchFault } from '../../http/ask/read-page.ts'
import { unreadable } from '../../http/contract/problems/not-granted.ts'
import { emptyList, faultsProblem, type RefusedCall } from '../../http/contract/problems/problem.ts'
import { thingDocument } from '../../http/respond/documents.ts'
import { offeredTo } from '../../http/respond/offered.ts'
import { cursorsOf, type PageCursors } from '../../http/respond/page-links.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Collection } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { askerOf, withCaller } from '../../queries/parse/caller.ts'
import { parseQuery, type QueryOptions } from '../../queries/parse/parse-query.ts'
import type { Filter, Query } from '../../queries/query.ts'
import { noQuery, type QueryString } from '../../queries/query-string.ts'
import { project } from '../../representations/project.ts'
import type { Stored, TextPage } from '../../store/port/desk.ts'
import { answerBounds } from '../../values/bounds.ts'
import type { DoorCall } from '../door.ts'

/** A stored thing, and its document as JSON text. */
export interface ThingRead {
  readonly thing: Stored
  readonly json: string
}

/** A thing with its links; `fields` and `expand` choose its members, as in an address. */
export async function readThing(
  resource: Resource,
  id: unknown,
  call: DoorCall,
  sent: QueryString = noQuery,
): Promise<ThingRead | RefusedCall> {
  const parsed = parseQuery(collectionOf(resource), sent)
  if ('faults' in parsed) return { problem: faultsProblem(sent, parsed.faults) }
  const found = await findLive(resource, id, call)
  if ('problem' in found) return found
  const { fields, expand } = parsed.query
  const whole = documentOf(resource, found.thing, call)
  const [json = whole] = expand === undefined ? [] : await expandItems(expand, [whole], call)
  return { thing: found.thing, json: fields === undefined ? json : project(json, fields) }
}

/** The document of a thing, as this caller sees it. */
export const documentOf = (
  resource: Resource,
  thing: Stored,
  call: Pick<DoorCall, 'role' | 'desk' | 'service'>,
): string => thingDocument(resource, thing, call.service.addresses, offeredTo(call, resource, thing)).json

/** A page with its query and the links to continue. */
export interface ListPage {
  readonly query: Query
  readonly page: TextPage
  readonly cursors: PageCursors
}

interface ListOptions extends QueryOptions {
  /** The items of the list. */
  readonly scope?: Filter
  /** The most items of a page, if each shows others. */
  readonly most?: number
}

/** The caller's view of the store. */
export type ListReader = Pick<DoorCall, 'desk' | 'caller' | 'role' | 'peer' | 'budget'>

/** A page of a collection, requested as in an address: `queryOf` and `readQueryMembers` write such queries. */
export async function readList(
  collection: Collection,
  sent: QueryString,
  call: ListReader,
  { scope, most = answerBounds.page, ...options }: ListOptions = {},
): Promise<ListPage | RefusedCall> {
  const parsed = withCaller(
    parseQuery(collection, sent, options),
    askerOf(collection.schema, call.caller?.user ?? null),
  )
  if ('faults' in parsed) return { problem: faultsProblem(sent, parsed.faults) }
  const hidden = unreadable(call, collection)
  if (hidden !== undefined) return { problem: hidden }
  const query = { ...parsed.query, size: Math.min(parsed.query.size, most) }
  const fault = await searchFault(query, (field) => field, call)
  if (fault !== undefined) return { problem: faultsProblem(sent, [fault]) }
  const read = await readPage({ collection, ...(scope && { scope }) }, query, call)
  if ('problem' in read) return read
  const { page } = read
  if (page.items.length === 0 && query.refuseEmpty) return { problem: emptyList(query) }
  return { query, page, cursors: query.groups === undefined ? cursorsOf(collection, query, page) : {} }
}

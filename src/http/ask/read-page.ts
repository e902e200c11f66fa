import type { Collection } from '../../queries/collection.ts'
import { type Filter, looksAtText, type Query } from '../../queries/query.ts'
import { project } from '../../representations/project.ts'
import type { SearchOptions, TextPage } from '../../store/port/desk.ts'
import { mapInTurns, takeTurns } from '../../store/port/take-turns.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { type JsonTexts, mapTexts } from '../../values/json/texts.ts'
import type { Call } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { recallRow } from '../request/recall-row.ts'
import { expandItems } from './expand.ts'

/** The source of a page, apart from its query. */
export interface PageSource {
  readonly collection: Collection
  /** The items at this address. */
  readonly scope?: Filter
  /** Converts an item's stored text to the shown one, if they differ. */
  readonly present?: ((json: string) => string) | undefined
  /** Whether an answer has the items as they are. */
  readonly asTheyAre?: boolean
}

export type PageResult = { readonly page: TextPage } | { readonly problem: Problem }

/** A page of a collection with its items as shown: with related things, reduced to the requested members. */
export async function readPage(
  { collection, scope = [], present, asTheyAre = false }: PageSource,
  query: Query,
  call: PageReader,
): Promise<PageResult> {
  const { desk } = call
  const placed = query.omitted === undefined ? { query } : await recallRow(desk, collection, scope, query)
  if ('problem' in placed) return placed
  call.budget.beforeReading(query.size)
  const turn = takeTurns()
  const { expand, fields, groups } = query
  const show = groups === undefined ? shower(present, fields) : undefined
  const joined = asTheyAre && show === undefined && expand === undefined
  const found = await desk.textPage(collection, scope, placed.query, { ...searchOptionsOf(query, call), joined })
  call.budget.hold(found.items)
  // Reading a long page took a while.
  const pause = turn()
  if (pause !== undefined) await pause
  if (show === undefined && expand === undefined) return { page: found }
  const items = expand === undefined ? found.items : await expandItems(expand, found.items, call)
  return { page: { ...found, items: show === undefined ? items : await shownTexts(items, show) } }
}

/** Packed texts are converted while they are written, so that they stay packed. */
const shownTexts = async (items: JsonTexts, show: (json: string) => string): Promise<JsonTexts> =>
  items.size === undefined ? mapInTurns(items, show) : mapTexts(items, show)

/** The caller's view of the store, for reading pages. */
export type PageReader = Pick<Call, 'desk' | 'peer' | 'budget'>

/** A search is aborted when its client disconnects, and so are groups; other queries are short. */
export const searchOptionsOf = ({ filter, groups }: Query, call: Pick<Call, 'peer'>): SearchOptions =>
  groups !== undefined || looksAtText(filter) ? { signal: call.peer.left } : {}

/** The fault of a regex that this store cannot search for; `named` returns the parameter for a field. */
export async function searchFault(
  { filter }: Query,
  named: (field: string) => string,
  { desk }: Pick<Call, 'desk'>,
): Promise<Fault | undefined> {
  const found = looksAtText(filter) ? await desk.unsearchable(filter) : undefined
  return found && { ...found.fault, at: { parameter: named(found.field) } }
}

function shower(present: PageSource['present'], fields: Query['fields']): ((json: string) => string) | undefined {
  if (fields === undefined) return present
  return (json) => project(present === undefined ? json : present(json), fields)
}

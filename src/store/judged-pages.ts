import type { Key } from '../model/declaration/resource.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import type { Collection } from '../queries/collection.ts'
import { type Query, type SortTerm, skippedBy, type Value, withoutPlace } from '../queries/query.ts'
import { isObject } from '../values/json/is-object.ts'
import { readNumbersRaw } from '../values/json/read-numbers-raw.ts'
import type { Page, SearchOptions } from './port/desk.ts'
import { SearchTooCostly } from './port/store.ts'

/** How the items of a collection are read, and which of them a caller sees. */
export interface Judged {
  readonly read: (query: Query, options?: SearchOptions) => Promise<Page>
  readonly sees: (item: string) => Promise<boolean>
}

/** The items of a collection that tells of things: which of them are seen is known only with these things. */
export const isJudged = ({ name }: Pick<Collection, 'name'>): boolean => judged.has(name)

const judged: ReadonlySet<string> = new Set(['events', 'commands', 'history'])

/** The thing that an event or a command is about; the whole thing after an event is `json`. */
export function toldThing(
  { resources, byName }: Schema,
  item: string,
): { readonly resource: Resource; readonly id: Key; readonly json?: string } | undefined {
  const told: unknown = readNumbersRaw(item)
  if (!isObject(told)) return undefined
  const { data, resource: name, subject } = told
  if (isObject(data)) {
    // An import of many has no thing, and what was removed is seen by nobody.
    const resource = resources.find((each) => isObject(data[each.name]))
    if (resource === undefined) return undefined
    const json = JSON.stringify(data[resource.name])
    return { resource, id: (JSON.parse(json) as { readonly id: Key }).id, json }
  }
  const resource = byName.get(String(name))
  const id = resource?.kinds.id?.readText(String(subject))
  return resource && id && 'value' in id ? { resource, id: id.value as Key } : undefined
}

/** Items that are read at once. */
const CHUNK = 200
/** The most items that are read for a page. */
const MOST = 20_000

/** A page of the items that a caller sees. */
export async function judgedPage(
  collection: Collection,
  query: Query,
  options: SearchOptions | undefined,
  { read, sees }: Judged,
): Promise<Page> {
  if (query.groups !== undefined) throw new SearchTooCostly()
  const { before, after, count, size, ...rest } = query
  const isBackward = before !== undefined
  const plain = { ...withoutPlace(rest as Query), size: CHUNK, count: false }
  const found: string[] = []
  let [skipped, looked, total] = [0, 0, 0]
  const skips = isBackward || after !== undefined ? 0 : skippedBy(query)
  let more = true
  let end: readonly Value[] | undefined
  for (let place = before ?? after; more && (count || found.length <= size); ) {
    const at = place === undefined ? { page: 1 } : isBackward ? { before: place } : { after: place }
    const page = await read({ ...plain, ...at }, options)
    const items = isBackward ? page.items.toReversed() : page.items
    for (const item of items) {
      if (!(await sees(item))) continue
      total++
      if (skipped < skips) skipped++
      else if (found.length <= size) found.push(item)
    }
    more = isBackward ? page.hasLess : page.hasMore
    end = isBackward ? page.first : page.last
    place = end
    looked += items.length
    if (place === undefined) more = false
    if (more && looked >= MOST) {
      if (count) throw new SearchTooCostly()
      break
    }
  }
  const isFull = found.length > size
  const shown = found.slice(0, size)
  const items = isBackward ? shown.toReversed() : shown
  const valuesOf = (item: string | undefined): readonly Value[] | undefined =>
    item === undefined ? undefined : query.sort.map((term) => shownValue(collection.schema, term, item))
  const goesOn = isFull || more
  const [first, last] = [valuesOf(items[0]), valuesOf(items.at(-1))]
  return {
    items,
    hasMore: isBackward || goesOn,
    hasLess: isBackward ? goesOn : after !== undefined || skips > 0,
    // The next page begins where it was too much to read further.
    first: isBackward && !isFull && more ? end : first,
    last: !isBackward && !isFull && more ? end : last,
    total: count ? total : undefined,
  }
}

/** All items that a caller sees, as lines. */
export async function* judgedLines(
  query: Query,
  options: SearchOptions | undefined,
  { read, sees }: Judged,
): AsyncIterable<Uint8Array> {
  const plain = { ...withoutPlace(query), size: CHUNK, count: false }
  for (let place: readonly Value[] | undefined = query.after, more = true; more; ) {
    const page: Page = await read({ ...plain, ...(place === undefined ? { page: 1 } : { after: place }) }, options)
    const seen: string[] = []
    for (const item of page.items) if (await sees(item)) seen.push(`${item}\n`)
    if (seen.length > 0) yield Buffer.from(seen.join(''))
    more = page.hasMore && page.last !== undefined
    place = page.last
  }
}

/** The value of a sorted field, as a cursor has it. */
function shownValue({ byName }: Schema, { field: { name, kind } }: SortTerm, item: string): Value {
  const shown: unknown = JSON.parse(item)
  if (!isObject(shown)) return null
  const sent = shown[name] ?? (byName.has(name) && shown.resource === name ? shown.subject : null)
  const read = kind.read(sent)
  return 'value' in read ? (read.value as Value) : null
}

import type { ReferringItem } from '../../http/ask/related.ts'
import type { EntityTags } from '../../http/contract/service-parts.ts'
import { project } from '../../representations/project.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { answerBounds } from '../../values/bounds.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import { isObject } from '../../values/json/is-object.ts'
import { readNumbersRaw } from '../../values/json/read-numbers-raw.ts'
import { type JsonTexts, mapTexts, unpacked } from '../../values/json/texts.ts'
import { groupsOf, memberIn, withMembers } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import type { ListReader } from '../kit/reads.ts'
import { readRelatedLists } from '../kit/related-lists.ts'
import type { Expanded } from './expand-options.ts'
import { type EntitySet, listNamesOf, setOf, wideNamesIn } from './model/entity-sets.ts'
import { entityPath } from './place.ts'
import { type JsonFormat, rootOf, taggedFormat } from './protocol.ts'

/** How entities are shown. */
export interface ShownEntity {
  readonly format: JsonFormat
  /** Whether only a dry run creates this state: it has no tag. */
  readonly tried?: boolean
  readonly select?: readonly string[]
  readonly expand: readonly Expanded[]
}

type EntityReader = ListReader & Pick<DoorCall, 'schema' | 'service'>

/** Entities as JSON texts, from the stored documents. */
export async function showEntities(
  set: EntitySet,
  documents: JsonTexts,
  { select, expand, format, tried = false }: ShownEntity,
  call: EntityReader,
): Promise<JsonTexts> {
  const wide = wideNamesIn(set.collection.schema)
  const lists = listNamesOf(set)
  const groups = groupsOf(set.collection.columns)
  const tags = call.service.tags(call.schema)
  const show = (json: string, item: ReferringItem, others = ''): string => {
    const tag = format.metadata === 'none' || tried ? '' : controlText('etag', tagIn(item, format, tags))
    const own = withLists(select === undefined ? json : project(json, select), lists)
    return written(format.ieee754 ? withWideTexts(own, wide, groups) : own, tag, others)
  }
  // Without related things each is written separately: packed ones stay packed until they are sent.
  if (expand.length === 0) return mapTexts(documents, (json) => show(json, JSON.parse(json) as ReferringItem))
  const read = await mapInTurns(documents, (json) => JSON.parse(json) as ReferringItem)
  const related = await Promise.all(expand.map((each) => relatedTo(set, each, read, format, call)))
  return mapInTurns(documents, (json, at) => {
    const item = read[at] ?? {}
    return show(json, item, related.map((write) => write(item)).join(''))
  })
}

/** The tag of an entity, as in the header unless that is compressed; undefined for entities without revisions. */
function tagIn({ revision, updatedAt }: ReferringItem, format: JsonFormat, tags: EntityTags): string | undefined {
  if (typeof revision !== 'number' || typeof updatedAt !== 'string') return undefined
  return tags.tag({ revision, updatedAt }, { representation: taggedFormat(format) })
}

const controlText = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `"@odata.${name}":${JSON.stringify(value)},`

function written(json: string, before: string, behind: string): string {
  const members = [before.slice(0, -1), json.slice(1, -1), behind.slice(1)].filter((each) => each !== '')
  return `{${members.join()}}`
}

/** OData has no null in place of a collection: choices that are not set are none. */
function withLists(json: string, lists: ReadonlySet<string>): string {
  if (lists.size === 0) return json
  const item = JSON.parse(json) as object
  const unset = [...lists].filter((name) => memberIn(item, name) === null)
  if (unset.length === 0) return json
  const whole = readNumbersRaw(json) as Readonly<Record<string, unknown>>
  return JSON.stringify(
    withMembers(
      whole,
      unset.map((name) => [name, []]),
    ),
  )
}

/** The numbers that a double may not hold become texts; the others keep their digits. */
function withWideTexts(json: string, wide: ReadonlySet<string>, groups: ReadonlySet<string>): string {
  const asText = (name: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (groups.has(name) && isObject(value)) return withTexts(value)
    if (typeof value !== 'number' || context?.source === undefined) return value
    return wide.has(name) ? context.source : JSON.rawJSON(context.source)
  }
  return JSON.stringify(JSON.parse(json, asText))
}

/** Every number in a group may be wide. */
const withTexts = (group: object): object =>
  Object.fromEntries(Object.entries(group).map(([name, value]) => [name, isExactNumber(value) ? value.rawJSON : value]))

/** Writes the member of an item for a navigation. */
async function relatedTo(
  set: EntitySet,
  expanded: Expanded,
  items: readonly ReferringItem[],
  format: JsonFormat,
  call: EntityReader,
): Promise<(item: ReferringItem) => string> {
  const { relation, top, count } = expanded
  const { name } = relation
  const shown = { format, ...(expanded.select && { select: expanded.select }), expand: expanded.expand }
  const show = async (texts: readonly string[]) => unpacked(await showEntities(setOf(relation.of), texts, shown, call))
  const related = await readRelatedLists(expanded, items, show, call)
  return (item) => {
    const { items, hasMore, total = 0 } = related(item)
    if (relation.kind === 'one') return `,"${name}":${items[0] ?? 'null'}`
    const things = top === 0 ? [] : items
    const counted = count ? `,"${name}@odata.count":${format.ieee754 ? `"${total}"` : total}` : ''
    const more = hasMore && things.length < (top ?? Number.POSITIVE_INFINITY) ? nextLink(set, item, expanded, call) : ''
    return `${counted},"${name}":[${things.join()}]${more}`
  }
}

/** The address of the next entities of a navigation: its own address, with the same options. */
function nextLink(
  set: EntitySet,
  item: ReferringItem,
  { relation, top, skip, further }: Expanded,
  { service }: EntityReader,
): string {
  const rest = top === undefined ? [] : [`$top=${top - answerBounds.related}`]
  const query = [`$skip=${skip + answerBounds.related}`, ...rest, ...further].join('&')
  const address = `${rootOf(service)}/${entityPath(set, item.id)}/${relation.name}?${query}`
  return `,"${relation.name}@odata.nextLink":${JSON.stringify(address)}`
}

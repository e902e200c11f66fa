import type { Key } from '../../../model/resource.ts'
import { LARGEST_RELATED } from '../../../queries/members/expansion.ts'
import { project } from '../../../representations/project.ts'
import { mapInTurns } from '../../../store/port/take-turns.ts'
import { type JsonTexts, mapTexts } from '../../../values/json/texts.ts'
import { readRelated } from '../../ask/related.ts'
import type { DoorCall } from '../door.ts'
import { type EntitySet, entitySetNamed, wideNames } from './model/entity-sets.ts'
import { entityPath } from './place.ts'
import { type JsonFormat, taggedFormat } from './protocol.ts'
import type { ExpandedNavigation } from './system-options.ts'

/** How entities are shown. */
export interface ShownEntity {
  readonly format: JsonFormat
  /** Whether only a dry run makes this state: it has no tag. */
  readonly tried?: boolean
  readonly select?: readonly string[]
  readonly expand: readonly ExpandedNavigation[]
}

type EntityReader = Pick<DoorCall, 'desk' | 'service' | 'budget'>

/** Entities as JSON texts, from the documents that are stored. */
export async function showEntities(
  set: EntitySet,
  documents: JsonTexts,
  { select, expand, format, tried = false }: ShownEntity,
  call: EntityReader,
): Promise<JsonTexts> {
  const show = (json: string, item: StoredMembers, others = ''): string => {
    const tag = format.metadata === 'none' || tried ? '' : controlText('etag', tagIn(item, format, call.service))
    return written(json, select, tag, others, format)
  }
  // Without related things each is shown by itself: packed ones stay packed until they are sent.
  if (expand.length === 0) return mapTexts(documents, (json) => show(json, JSON.parse(json) as StoredMembers))
  const read = await mapInTurns(documents, (json) => JSON.parse(json) as StoredMembers)
  const related = await Promise.all(expand.map((each) => relatedTo(set, each, read, format, call)))
  return mapInTurns(documents, (json, at) => {
    const item = read[at] ?? {}
    return show(json, item, related.map((write) => write(item)).join(''))
  })
}

/** The members that an entity's tag and relations need. */
type StoredMembers = { readonly [name: string]: Key | null }

/** The tag of an entity, as in the header unless that is compressed; undefined for what has no revisions. */
function tagIn(
  { revision, updatedAt }: StoredMembers,
  format: JsonFormat,
  { tags }: DoorCall['service'],
): string | undefined {
  if (typeof revision !== 'number' || typeof updatedAt !== 'string') return undefined
  return tags.tag({ revision, updatedAt }, { representation: taggedFormat(format) })
}

const controlText = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `"@odata.${name}":${JSON.stringify(value)},`

/** JsonTexts are copied; numbers keep their digits. */
function written(
  json: string,
  select: readonly string[] | undefined,
  before: string,
  behind: string,
  { ieee754 }: JsonFormat,
): string {
  const own = select === undefined ? json : project(json, select)
  const exact = ieee754 ? JSON.stringify(JSON.parse(own, asText)) : own
  const inner = exact.slice(1, -1)
  const members = [before.slice(0, -1), inner, behind.slice(1)].filter((each) => each !== '')
  return `{${members.join()}}`
}

const asText = (name: string, value: unknown, context?: { readonly source?: string }): unknown => {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return wideNames.has(name) ? context.source : JSON.rawJSON(context.source)
}

/** Writes the member of an item that shows a navigation. It takes one read, however many items there are. */
async function relatedTo(
  set: EntitySet,
  { by, select }: ExpandedNavigation,
  items: readonly StoredMembers[],
  format: JsonFormat,
  call: EntityReader,
): Promise<(item: StoredMembers) => string> {
  const { name, relation, to } = by
  const isOne = relation.kind === 'one'
  const keyIn = (item: StoredMembers): Key | null => item[isOne ? relation.field : 'id'] ?? null
  const keys = [...new Set(items.map(keyIn))].filter((key) => key !== null)
  const found = await readRelated(relation, keys, call)
  const target = entitySetNamed(to)
  const shown = new Map<string, readonly string[]>()
  for (const [key, things] of found) {
    const texts = things.slice(0, LARGEST_RELATED)
    shown.set(key, [...(await showEntities(target, texts, { format, ...(select && { select }), expand: [] }, call))])
  }
  const selection = select === undefined ? '' : `&$select=${select.map(encodeURIComponent).join()}`
  return (item) => {
    const key = String(keyIn(item))
    const texts = shown.get(key) ?? []
    if (isOne) return `,"${name}":${texts[0] ?? 'null'}`
    const hasMore = (found.get(key)?.length ?? 0) > LARGEST_RELATED
    const more = `${call.service.addresses.base}/odata/${entityPath(set, key)}/${name}?$skip=${LARGEST_RELATED}&$orderby=${LATEST}${selection}`
    return `,"${name}":[${texts.join()}]${hasMore ? `,"${name}@odata.nextLink":${JSON.stringify(more)}` : ''}`
  }
}

/** The order of what is expanded: the latest first. */
const LATEST = encodeURIComponent('id desc')

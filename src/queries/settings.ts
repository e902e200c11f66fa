import type { Relation } from '../model/schema/resources.ts'
import { answerBounds } from '../values/bounds.ts'
import { type Fault, fault, type Reason } from '../values/faults/fault.ts'
import type { Read } from '../values/kinds/kind.ts'
import { boolean } from '../values/kinds/number.ts'
import type { Collection } from './collection.ts'
import { dotted } from './expressions/odata-operands.ts'
import { readExpand } from './members/expansion.ts'
import { readFields } from './members/fields.ts'
import type { SortTerm } from './query.ts'
import { needsValue, type QueryString } from './query-string.ts'
import { readSort } from './sort.ts'

export const DEFAULT_SIZE = 50

/** The parameters of a query besides its filter, each at most once. */
export interface QuerySettings {
  readonly page?: number
  /** The number of items to skip. */
  readonly offset?: number
  readonly maxpagesize?: number
  readonly count?: boolean
  readonly sort?: readonly SortTerm[]
  readonly fields?: readonly string[]
  readonly expand?: readonly Relation[]
  /** Parsed before the other settings, because sorts depend on them. */
  readonly group?: string
  readonly measure?: string
  readonly empty?: true
  /** Parsed when the sort is known. */
  readonly after?: string
  readonly before?: string
  /** Whether a table is written as people see it; evaluated where tables are written. */
  readonly shown?: boolean
  /** Chooses the representation; evaluated in negotiation. */
  readonly format?: string
}

export type SettingName = keyof QuerySettings

type Readers = {
  readonly [N in SettingName]-?: (text: string, collection: Collection) => Read<Required<QuerySettings>[N]>
}

const readers: Readers = {
  page: (text) => readWhole(text, 1),
  offset: (text) => readWhole(text, 0),
  maxpagesize: (text) => readWhole(text, 1, answerBounds.page),
  count: (text) => (text === 'exact' ? { value: true } : fault('not-one-of', { values: ['exact'], only: 'exact' })),
  sort: (text, collection) => readSort(collection, text),
  fields: (text, collection) => readFields(collection, text),
  expand: (text, collection) => readExpand(collection, text),
  group: (text) => ({ value: text }),
  measure: (text) => ({ value: text }),
  empty: (text) => (text === '404' ? { value: true } : fault('not-one-of', { values: ['404'], only: '404' })),
  after: (text) => ({ value: text }),
  before: (text) => ({ value: text }),
  shown: (text) => boolean.readText(text),
  format: (text) => ({ value: text }),
}

/** Other interfaces' names for a setting. decisions/0028 */
const otherNames: { readonly [N in SettingName]?: readonly string[] } = {
  page: ['page[number]'],
  offset: ['skip', '$skip', 'page[offset]'],
  maxpagesize: ['limit', 'per_page', 'pageSize', 'page_size', '$top', 'page[size]', 'page[limit]'],
  count: ['$count'],
  sort: ['order', 'order_by', 'orderby', '$orderby'],
  fields: ['select', '$select'],
  after: ['cursor', 'page[after]'],
  before: ['page[before]'],
  expand: ['$expand'],
}

const bySpelling: ReadonlyMap<string, SettingName> = new Map(
  (Object.keys(readers) as SettingName[]).flatMap((name) =>
    [name, ...(otherNames[name] ?? [])].map((spelling) => [spelling, name]),
  ),
)

/** Every name of these settings, our own first. */
export const spellingsOf = (...names: readonly SettingName[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [name, ...(otherNames[name] ?? [])]))

export const otherNamesOf = (name: SettingName): readonly string[] => otherNames[name] ?? []

/** The setting of that name, if there is one. */
export const settingNamed = (spelling: string): SettingName | undefined => bySpelling.get(spelling)

/** Our own names. */
export const ownSettingNames: ReadonlySet<SettingName> = new Set(bySpelling.values())
export const settingNames: ReadonlySet<string> = new Set(bySpelling.keys())

/** The settings that give a position in a list. */
export const placeNames = spellingsOf('page', 'offset', 'after', 'before')
/** The settings that ask for one page. */
export const pageNames = placeNames.union(spellingsOf('maxpagesize'))
/** The settings that have a meaning only for pages. */
export const pagingNames = pageNames.union(spellingsOf('count'))

/** The settings that choose the shown members. */
export const memberNames = spellingsOf('fields', 'expand', 'group', 'measure')

/** A fault for each setting that has no meaning here. */
export function misplaced({ parameters }: QueryString, names: ReadonlySet<string>, why: Reason): readonly Fault[] {
  const sent = new Set(parameters.map(({ name }) => name).filter((name) => names.has(name)))
  return [...sent].map((parameter) => ({ ...why, at: { parameter } }))
}

/** The value of a setting, under the name that was sent. */
export function readSetting(
  collection: Collection,
  spelling: string,
  text: string | undefined,
): Read<QuerySettings[SettingName]> {
  const name = settingNamed(spelling)
  if (name === undefined) throw new Error(`there is no setting ${spelling}`)
  if (text === undefined) return needsValue
  if (spelling === '$count') return boolean.readText(text)
  return readers[name](spelling.startsWith('$') ? dotted(text) : text, collection)
}

/** A whole number; a larger one than `most` is taken for that. */
function readWhole(text: string, min: 0 | 1, most?: number): Read<number> {
  const number = Number(text)
  if (!/^(0|[1-9]\d*)$/.test(text) || number < min) return fault('malformed', { wants: 'integer-from', min })
  if (most !== undefined) return { value: Math.min(number, most) }
  return Number.isSafeInteger(number) ? { value: number } : fault('out-of-range', { max: Number.MAX_SAFE_INTEGER })
}

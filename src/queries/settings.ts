import type { Relation } from '../model/resources.ts'
import { fault, type Read } from '../values/kinds/kind.ts'
import type { Collection } from './collection.ts'
import { readExpand } from './members/expansion.ts'
import { readFields } from './members/fields.ts'
import type { SortTerm } from './query.ts'
import type { ParameterFault, QueryString } from './query-string.ts'
import { readSort } from './sort.ts'

export const DEFAULT_SIZE = 50
export const LARGEST_SIZE = 1000

/** The parameters of a query besides its filter, each at most once. */
export interface QuerySettings {
  readonly page?: number
  readonly maxpagesize?: number
  readonly count?: true
  readonly sort?: readonly SortTerm[]
  readonly fields?: readonly string[]
  readonly expand?: readonly Relation[]
  readonly empty?: true
  /** Parsed when the sort is known. */
  readonly after?: string
  readonly before?: string
  /** Chooses the representation; evaluated in negotiation. */
  readonly format?: string
}

export type SettingName = keyof QuerySettings

type Readers = {
  readonly [N in SettingName]-?: (text: string, collection: Collection) => Read<Required<QuerySettings>[N]>
}

const readers: Readers = {
  page: readPage,
  maxpagesize: readSize,
  count: (text) => (text === 'exact' ? { value: true } : fault('must be exact')),
  sort: (text, collection) => readSort(collection, text),
  fields: (text, collection) => readFields(collection, text),
  expand: (text, collection) => readExpand(collection, text),
  empty: (text) => (text === '404' ? { value: true } : fault('must be 404')),
  after: (text) => ({ value: text }),
  before: (text) => ({ value: text }),
  format: (text) => ({ value: text }),
}

export const settingNames: ReadonlySet<string> = new Set(Object.keys(readers))

/** The settings that give a position in a list. */
export const placeNames: ReadonlySet<string> = new Set<SettingName>(['page', 'after', 'before'])
/** The settings that ask for one page. */
export const pageNames: ReadonlySet<string> = new Set([...placeNames, 'maxpagesize' satisfies SettingName])
/** The settings that have a meaning only for pages. */
export const pagingNames: ReadonlySet<string> = new Set([...pageNames, 'count' satisfies SettingName])

/** A fault for each setting that has no meaning here. */
export function misplaced(
  { parameters }: QueryString,
  names: ReadonlySet<string>,
  detail: string,
): readonly ParameterFault[] {
  const sent = new Set(parameters.map(({ name }) => name).filter((name) => names.has(name)))
  return [...sent].map((parameter) => ({ parameter, detail }))
}

export const isSetting = (name: string): name is SettingName => settingNames.has(name)

export function readSetting(
  collection: Collection,
  name: SettingName,
  text: string | undefined,
): Read<QuerySettings[SettingName]> {
  return text === undefined ? fault('needs a value') : readers[name](text, collection)
}

const wholeNumber = /^[1-9]\d*$/

function readPage(text: string): Read<number> {
  if (!wholeNumber.test(text)) return fault('must be an integer from 1')
  return Number.isSafeInteger(Number(text)) ? { value: Number(text) } : fault('must be below 2^53')
}

function readSize(text: string): Read<number> {
  if (!wholeNumber.test(text)) return fault('must be an integer from 1')
  return { value: Math.min(Number(text), LARGEST_SIZE) }
}

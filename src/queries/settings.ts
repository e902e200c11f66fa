import { fault, type Read } from '../values/kinds/kind.ts'
import { didYouMean } from '../values/nearest.ts'
import type { Collection } from './collection.ts'
import type { SortTerm } from './query.ts'
import type { ParameterFault, QueryString } from './query-string.ts'
import { readSort } from './sort.ts'

export const DEFAULT_SIZE = 50
export const LARGEST_SIZE = 1000

/** What a query says besides its filter, each at most once. */
export interface QuerySettings {
  readonly page?: number
  readonly maxpagesize?: number
  readonly count?: true
  readonly sort?: readonly SortTerm[]
  readonly fields?: readonly string[]
  readonly empty?: true
  /** Can be read only when the sort is known. */
  readonly after?: string
  readonly before?: string
  /** Chooses the representation; read where that is chosen. */
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
  empty: (text) => (text === '404' ? { value: true } : fault('must be 404')),
  after: (text) => ({ value: text }),
  before: (text) => ({ value: text }),
  format: (text) => ({ value: text }),
}

export const settingNames: ReadonlySet<string> = new Set(Object.keys(readers))

/** Those that say where in a list. */
export const placeNames: ReadonlySet<string> = new Set<SettingName>(['page', 'after', 'before'])
/** Those that ask for one page of it. */
export const pageNames: ReadonlySet<string> = new Set([...placeNames, 'maxpagesize' satisfies SettingName])
/** Those that have a meaning on pages alone. */
export const pagingNames: ReadonlySet<string> = new Set([...pageNames, 'count' satisfies SettingName])

/** The faults of a query with settings that do not go with what is asked for. */
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

function readFields(collection: Collection, text: string): Read<readonly string[]> {
  const shown = [...collection.fields.values()].filter((field) => !field.hidden).map((field) => field.name)
  const known = new Set([...shown, ...collection.structured])
  const asked = text.split(',')
  const unknown = asked.find((name) => !known.has(name))
  if (unknown !== undefined) return fault(`names no field ${unknown}${didYouMean(unknown, known)}`)
  return { value: [...new Set(asked)] }
}

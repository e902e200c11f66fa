import { fault, type Read } from '../values/kind.ts'
import type { Collection } from './collection.ts'
import type { SortTerm } from './query.ts'
import { readSort } from './sort.ts'
import { didYouMean } from './unknown-name.ts'

export const DEFAULT_SIZE = 50
export const LARGEST_SIZE = 1000

/** What a query says besides its filter, each at most once. */
export interface Settings {
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

export type SettingName = keyof Settings

type Readers = { readonly [N in SettingName]-?: (text: string, collection: Collection) => Read<Required<Settings>[N]> }

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

export const settingNames = Object.keys(readers) as readonly SettingName[]

const readersByName = new Map<string, Readers[SettingName]>(Object.entries(readers))

export const isSetting = (name: string): name is SettingName => readersByName.has(name)

export function readSetting(
  collection: Collection,
  name: SettingName,
  text: string | undefined,
): Read<Settings[SettingName]> {
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

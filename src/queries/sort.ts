import { fault, type Read } from '../values/kinds/kind.ts'
import { didYouMean } from '../values/nearest.ts'
import { type Collection, fieldOf } from './collection.ts'
import type { SortTerm } from './query.ts'

/** `age,-name`: a `-` sorts downwards. The key comes last, as it leaves no ties. decisions/0004 */
export function readSort(collection: Collection, text: string): Read<readonly SortTerm[]> {
  const sort: SortTerm[] = []
  for (const part of text.split(',')) {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const field = collection.fields.get(name)
    if (field === undefined || field.hidden)
      return fault(`cannot sort by ${name || 'nothing'}${nearField(collection, name)}`)
    if (sort.some((term) => term.field === field)) return fault(`names ${name} twice`)
    sort.push({ field, descending })
  }
  return { value: withKey(collection, sort) }
}

export const defaultSort = (collection: Collection): readonly SortTerm[] => withKey(collection, [])

/** Ends with the key, in the direction of the last field. Fields after the key are dropped: it leaves no ties. */
export function withKey(collection: Collection, sort: readonly SortTerm[]): readonly SortTerm[] {
  const at = sort.findIndex((term) => term.field.name === collection.key)
  if (at !== -1) return sort.slice(0, at + 1)
  return [...sort, { field: fieldOf(collection, collection.key), descending: sort.at(-1)?.descending ?? false }]
}

const nearField = (collection: Collection, name: string): string =>
  didYouMean(
    name,
    [...collection.fields.values()].filter((field) => !field.hidden).map((field) => field.name),
  )

import { fault, near } from '../values/faults/fault.ts'
import { nearest } from '../values/faults/nearest.ts'
import type { Read } from '../values/kinds/kind.ts'
import { type Collection, fieldOf } from './collection.ts'
import type { SortTerm } from './query.ts'

/**
 * The position of nulls if a sort does not specify it: last in either direction, above the greatest value, as in SQL, or
 * below the least one, as in OData.
 */
type NullPlaces = 'last' | 'as in SQL' | 'as in OData'

/**
 * `age,-name`, `age,name desc`, `age,name.desc`. The key comes last, because it leaves no ties. decisions/0004, 0028
 */
export function readSort(collection: Collection, text: string, places: NullPlaces = 'last'): Read<readonly SortTerm[]> {
  const sort: SortTerm[] = []
  for (const part of text.split(',')) {
    const [, minus, name = '', direction, nulls] = partsOf(part.trim(), collection)
    if (minus && direction) return fault('two-directions', { name })
    if (nulls === 'first' && places !== 'as in SQL') return fault('nulls-first', { name })
    const descending = minus !== undefined || direction === 'desc'
    const field = collection.fields.get(name)
    if (field === undefined || field.hidden) {
      return fault('not-sortable', { ...(name !== '' && { name }), ...near(nearField(collection, name)) })
    }
    if (field.kind.unordered) return fault('unordered', { name })
    if (sort.some((term) => term.field === field)) return fault('repeated', { name })
    const nullsFirst = nulls === undefined ? areFirst(places, descending) : nulls === 'first'
    sort.push({ field, descending, ...(nullsFirst && field.kind.nullable && { nullsFirst }) })
  }
  return { value: withKey(collection, sort) }
}

const areFirst = (places: NullPlaces, descending: boolean): boolean =>
  places === 'as in SQL' ? descending : places === 'as in OData' && !descending

/** Whether a list can be in the order of a field. */
export function isSortable({ fields }: Collection, name: string): boolean {
  const field = fields.get(name)
  return field !== undefined && !field.hidden && field.kind.unordered !== true
}

/** An added field may be called like a direction: its whole name comes first. */
function partsOf(term: string, { fields }: Collection): readonly (string | undefined)[] {
  const [, minus, name = ''] = /^(-)?(.*)$/s.exec(term) ?? []
  return fields.has(name) ? [term, minus, name] : (sorted.exec(term) ?? [])
}

// OData separates the direction by a space, PostgREST by a dot.
const sorted = /^(-)?(.*?)(?:[ .](asc|desc))?(?:\.nulls(first|last))?$/s

export const defaultSort = (collection: Collection): readonly SortTerm[] => withKey(collection, [])

/** Ends with the key, in the direction of the last field. Fields after the key are dropped: it leaves no ties. */
export function withKey(collection: Collection, sort: readonly SortTerm[]): readonly SortTerm[] {
  const keys = collection.keys ?? [collection.key]
  const places = keys.map((key) => sort.findIndex(({ field }) => field.name === key))
  if (!places.includes(-1)) return sort.slice(0, Math.max(-1, ...places) + 1)
  const descending = sort.at(-1)?.descending ?? false
  const missing = keys.filter((_, at) => places[at] === -1)
  return [...sort, ...missing.map((key) => ({ field: fieldOf(collection, key), descending }))]
}

const nearField = (collection: Collection, name: string): string | undefined =>
  nearest(
    name,
    [...collection.fields.values()].filter((field) => !field.hidden).map((field) => field.name),
  )

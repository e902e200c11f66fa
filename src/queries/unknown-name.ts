import { fault } from '../values/kind.ts'
import { nearest } from '../values/nearest.ts'
import type { Collection } from './collection.ts'
import { filterable } from './dialect.ts'

/** The end of a sentence about an unknown name: the nearest known one, where one is near. */
export function didYouMean(name: string, known: Iterable<string>, prefix = ''): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `, did you mean ${prefix}${near}?`
}

export function noSuchField(collection: Collection, name: string): { readonly fault: string } {
  const known = filterable(collection).map((field) => field.name)
  return fault(`names no field of ${collection.name}${didYouMean(name, known)}`)
}

/** The end of the same sentence for a name that other interfaces have for it. */
export function otherName({ fields }: Collection, name: string): string | undefined {
  const ours = otherNames.get(name.toLowerCase().replace(/^\$/, '').replaceAll(/[_-]/g, ''))
  if (ours === undefined || (ours === SEARCH && !fields.has('name'))) return undefined
  return `, did you mean ${ours}?`
}

const SEARCH = 'name.regex'

const otherNames: ReadonlyMap<string, string> = new Map([
  ...named('maxpagesize', 'limit', 'pagesize', 'perpage', 'size', 'top', 'page[size]'),
  ...named('page', 'offset', 'skip', 'page[number]'),
  ...named('sort', 'order', 'orderby', 'sortby'),
  ...named('fields', 'select'),
  ...named('after', 'cursor', 'startingafter', 'page[after]'),
  ...named('before', 'endingbefore', 'page[before]'),
  ...named(SEARCH, 'q', 'search'),
])

function named(ours: string, ...others: readonly string[]): readonly (readonly [string, string])[] {
  return others.map((other) => [other, ours])
}

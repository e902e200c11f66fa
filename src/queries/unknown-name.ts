import { fault } from '../values/kind.ts'
import { nearest } from '../values/nearest.ts'
import type { Collection } from './collection.ts'
import { filterable } from './form.ts'

/** The end of a sentence about an unknown name: the nearest known one, where one is near. */
export function didYouMean(name: string, known: Iterable<string>, prefix = ''): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `, did you mean ${prefix}${near}?`
}

export function noSuchField(collection: Collection, name: string): { readonly fault: string } {
  const known = filterable(collection).map((field) => field.name)
  return fault(`names no field of ${collection.name}${didYouMean(name, known)}`)
}

import { readParameters } from './parameters.ts'

/** Where in a list a link leads, other than to its start. */
export type Place = { readonly after: string } | { readonly before: string } | { readonly page: number }

/** The parameters that say where in a list. */
export const placeNames: ReadonlySet<string> = new Set(['page', 'after', 'before'])

/** Those that make pages of a list. */
export const pagingNames: ReadonlySet<string> = new Set([...placeNames, 'maxpagesize', 'count'])

/** The same query at the start of its list, everything else as it was sent: what follows the `?`, perhaps nothing. */
export function withoutPlace(raw: string): string {
  const kept = readParameters(raw).flatMap((parameter) =>
    'fault' in parameter || placeNames.has(parameter.name) ? [] : [parameter.raw],
  )
  return kept.join('&')
}

/** A query without a place, at a place. */
export function placedAt(start: string, place: Place): string {
  const at = Object.entries(place).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return start === '' ? at.join('') : `${start}&${at}`
}

import { readParameters } from './parameters.ts'

/** Where in a list a link leads, other than to its start. */
export type Place = { readonly after: string } | { readonly page: number }

/** The same query at the start of its list, everything else as it was sent: what follows the `?`, perhaps nothing. */
export function withoutPlace(raw: string): string {
  const kept = readParameters(raw).flatMap((parameter) =>
    'fault' in parameter || parameter.name === 'page' || parameter.name === 'after' ? [] : [parameter.raw],
  )
  return kept.join('&')
}

/** A query without a place, at a place. */
export function placedAt(start: string, place: Place): string {
  const at = 'after' in place ? `after=${encodeURIComponent(place.after)}` : `page=${place.page}`
  return start === '' ? at : `${start}&${at}`
}

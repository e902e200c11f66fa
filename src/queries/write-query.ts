import { readParameters } from './parameters.ts'

/** Where in a list a link leads. */
export type Place = { readonly after: string } | { readonly page: number } | 'start'

/** The same query at another place, everything else as it was sent: what follows the `?`, perhaps nothing. */
export function writeQuery(raw: string, place: Place): string {
  const kept = readParameters(raw).flatMap((parameter) =>
    'fault' in parameter || parameter.name === 'page' || parameter.name === 'after' ? [] : [parameter.raw],
  )
  if (place === 'start') return kept.join('&')
  const at = 'after' in place ? `after=${encodeURIComponent(place.after)}` : `page=${place.page}`
  return [...kept, at].join('&')
}

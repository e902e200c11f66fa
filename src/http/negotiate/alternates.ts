import { pagingNames } from '../../queries/place.ts'
import type { Alternate, Representation } from '../../representations/representation.ts'
import { addressable } from '../../values/addressable.ts'

/** The same resource in each of the other available representations, by suffix. `query` has no `?`. */
export function alternatesOf(
  path: string,
  query: string,
  available: readonly Representation[],
  current: Representation | undefined,
  base = '',
): readonly Alternate[] {
  const address = base + addressable(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  const ofPage = queryWithout(query, formatOnly)
  const alternates: Alternate[] = []
  for (const { name, mediaTypes } of available) {
    if (name === current?.name) continue
    const rest = name === 'ndjson' || name === 'csv' ? queryWithout(query, formatAndPaging) : ofPage
    alternates.push({ name, href: `${address}.${name}${rest}`, mediaType: mediaTypes[0] })
  }
  return alternates
}

/** The same as the value of a Link header, RFC 8288; empty when there are no others. */
export function alternateLinks(
  path: string,
  query: string,
  available: readonly Representation[],
  current: Representation | undefined,
  base = '',
): string {
  let links = ''
  for (const { href, mediaType } of alternatesOf(path, query, available, current, base)) {
    links += `${links === '' ? '' : ', '}<${href}>; rel="alternate"; type="${mediaType}"`
  }
  return links
}

// NDJSON and CSV are the whole result, so links to them have no paging.
const formatOnly: ReadonlySet<string> = new Set(['format'])
const formatAndPaging: ReadonlySet<string> = new Set(['format', ...pagingNames])

function queryWithout(query: string, names: ReadonlySet<string>): string {
  if (query === '') return ''
  const kept = query.split('&').filter((parameter) => !names.has(nameOf(parameter)))
  return kept.length === 0 ? '' : `?${addressable(kept.join('&'))}`
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals === -1 ? parameter : parameter.slice(0, equals)
}

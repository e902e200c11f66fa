import type { Alternate, Representation } from '../representations/representation.ts'

/** The same resource in each of the other available representations, by suffix. `query` has no `?`. */
export function alternatesOf(
  path: string,
  query: string,
  available: readonly Representation[],
  current: Representation,
  base = '',
): readonly Alternate[] {
  const address = base + addressable(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  const ofPage = queryWithout(query, formatOnly)
  const alternates: Alternate[] = []
  for (const { name, mediaTypes } of available) {
    if (name === current.name) continue
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
  current: Representation,
  base = '',
): string {
  let links = ''
  for (const { href, mediaType } of alternatesOf(path, query, available, current, base)) {
    links += `${links === '' ? '' : ', '}<${href}>; rel="alternate"; type="${mediaType}"`
  }
  return links
}

// NDJSON and CSV are the whole result: a page of people leads to all of it.
const formatOnly: ReadonlySet<string> = new Set(['format'])
const formatAndPaging: ReadonlySet<string> = new Set(['format', 'page', 'maxpagesize', 'after', 'count'])

function queryWithout(query: string, names: ReadonlySet<string>): string {
  if (query === '') return ''
  const kept = query.split('&').filter((parameter) => !names.has(nameOf(parameter)))
  return kept.length === 0 ? '' : `?${addressable(kept.join('&'))}`
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals === -1 ? parameter : parameter.slice(0, equals)
}

/** As curl sends it, `age>=18` is no part of an address: its `>` would end the link early. */
const addressable = (text: string): string =>
  unaddressable.test(text) ? text.replace(unaddressables, percentEncode) : text

// RFC 3986 §2: all that is neither reserved, unreserved nor an escape.
const unaddressable = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/
const unaddressables = new RegExp(unaddressable, 'g')

// Node hands on a byte beyond ASCII as the character of that number.
const percentEncode = (character: string): string =>
  `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`

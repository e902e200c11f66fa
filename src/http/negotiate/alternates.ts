import type { QueryString } from '../../queries/query-string.ts'
import { memberNames, pagingNames } from '../../queries/settings.ts'
import type { Alternate } from '../../representations/html/writing-context.ts'
import type { Representation } from '../../representations/representation.ts'
import { addressable, LONGEST_ADDRESS, withQuery } from '../../values/address.ts'

/** The same resource in each of the other available representations, by suffix. */
export function alternatesOf(
  path: string,
  query: QueryString,
  available: readonly Representation[],
  current: Representation | undefined,
  base: string,
): readonly Alternate[] {
  const address = base + addressable(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  const kept = query.parameters.filter(({ name }) => name !== 'format')
  const page = withQuery('', kept)
  const choosesMembers = kept.some(({ name }) => memberNames.has(name))
  const alternates: Alternate[] = []
  for (const { name, mediaTypes, whole } of available) {
    if (name === current?.name || (whole?.hasOwnMembers && choosesMembers)) continue
    // A page of people leads to the whole result where that can be had.
    const rest =
      whole === undefined
        ? page
        : withQuery(
            '',
            kept.filter(({ name }) => !pagingNames.has(name)),
          )
    const href = `${address}.${name}${rest}`
    // The content of a QUERY may be longer than an address.
    if (href.length <= LONGEST_ADDRESS) alternates.push({ name, href, mediaType: mediaTypes[0] })
  }
  return alternates
}

/** The same as the value of a Link header, RFC 8288; empty when there are no others. */
export function alternateLinks(
  path: string,
  query: QueryString,
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

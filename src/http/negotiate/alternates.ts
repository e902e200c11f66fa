import { noQuery, type Parameter, type QueryString } from '../../queries/query-string.ts'
import { memberNames, pagingNames } from '../../queries/settings.ts'
import type { Alternate } from '../../representations/markup/writing-context.ts'
import type { Representation } from '../../representations/representation.ts'
import { representations } from '../../representations/representations.ts'
import { addressable, withQuery } from '../../values/address.ts'
import { requestBounds } from '../../values/bounds.ts'
import { onceFor } from '../../values/memoize.ts'

/** An address, with or without the suffix of a format. */
export interface OwnAddress {
  readonly path: string
  readonly query: QueryString
  readonly suffix: string
}

/** The same resource in each of the other available representations, for pages: whole addresses, by suffix if possible. */
export function alternatesOf(
  { path, query, takesSuffix }: Omit<OwnAddress, 'suffix'> & { readonly takesSuffix: boolean },
  available: readonly Representation[],
  current: Representation | undefined,
  base: string,
): readonly Alternate[] {
  const address = base + addressable(withoutSlash(path))
  return others(query, available, current).flatMap(({ other: { name, mediaTypes }, kept }) => {
    const format = { raw: `format=${name}` }
    const href = takesSuffix ? `${address}.${name}${withQuery('', kept)}` : withQuery(address, [...kept, format])
    return isFit(href) ? [{ name, href, mediaType: mediaTypes[0] }] : []
  })
}

/**
 * The same as the value of a Link header, RFC 8288; empty if there are no others. They are relative to the request, so
 * that an answer does not mostly repeat its own address.
 */
export function alternateLinks(
  { path, query, suffix }: OwnAddress,
  available: readonly Representation[],
  current: Representation | undefined,
): string {
  const isPlain = suffix === '' && query.parameters.length === 0 && path.length < LONGEST_PLAIN
  if (isPlain) return plainLinks(available).get(current) ?? ''
  return linksAt({ path, query, suffix }, available, current)
}

/** An address as short as most leaves space for every format. */
const LONGEST_PLAIN = requestBounds.address - 100

/** Without a query and a suffix the links are the same at every address: prepared once for each offer. */
const plainLinks = onceFor((available: readonly Representation[]) => {
  const links = (current?: Representation): string =>
    linksAt({ path: '/', query: noQuery, suffix: '' }, available, current)
  return new Map([undefined, ...representations].map((current) => [current, links(current)]))
})

function linksAt(
  { path, query, suffix }: OwnAddress,
  available: readonly Representation[],
  current: Representation | undefined,
): string {
  const own = addressable(withoutSlash(path))
  const name = own.slice(own.lastIndexOf('/') + 1)
  // A segment with a colon would be read as a scheme.
  const start = name.includes(':') ? `./${name}` : name
  let links = ''
  for (const { other, kept } of others(query, available, current)) {
    const format = { raw: `format=${other.name}` }
    const href = suffix === '' ? withQuery('', [...kept, format]) : withQuery(`${start}.${other.name}`, kept)
    // The content of a QUERY may be longer than an address.
    if (isFit(own + href))
      links += `${links === '' ? '' : ', '}<${href}>; rel="alternate"; type="${other.mediaTypes[0]}"`
  }
  return links
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

const isFit = (address: string): boolean => address.length <= requestBounds.address

/** The other representations, each with the parameters that have a meaning there. */
function others(
  { parameters }: QueryString,
  available: readonly Representation[],
  current: Representation | undefined,
): readonly { readonly other: Representation; readonly kept: readonly Parameter[] }[] {
  const page = parameters.filter(({ name }) => name !== 'format')
  const choosesMembers = page.some(({ name }) => memberNames.has(name))
  // A page leads to the whole result if that is available.
  const whole = page.filter(({ name }) => !pagingNames.has(name))
  return available
    .filter((other) => other.name !== current?.name && !(other.whole?.hasOwnMembers && choosesMembers))
    .map((other) => ({ other, kept: other.whole === undefined ? page : whole }))
}

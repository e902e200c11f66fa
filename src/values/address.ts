/** The versions of the interface that are served: a segment of its addresses. */
export const versions = ['v1'] as const

export const isVersion = (text: string): boolean => (versions as readonly string[]).includes(text)

/** An address with these parameters as its query, each as it was sent. */
export const withQuery = (address: string, parameters: readonly { readonly raw: string }[]): string =>
  parameters.length === 0 ? address : `${address}?${addressable(parameters.map(({ raw }) => raw).join('&'))}`

/** A value as a segment of a path. Its dots are escaped too: they could look like a format's suffix. */
export const asSegment = (value: string): string => encodeURIComponent(value).replaceAll('.', '%2E')

/** Escapes a path or query to a valid part of a URI reference: curl sends `age>=18` and `[a-c]` unescaped. */
export const addressable = (text: string): string =>
  unaddressable.test(text) ? text.replace(unaddressables, percentEncode) : text

// RFC 3986 §3.3, §3.4: every character but pchar, `/`, `?` and escapes.
const unaddressable = /[^\w\-.~!$&'()*+,;=:@/?%]|%(?![\da-fA-F]{2})/
const unaddressables = new RegExp(unaddressable, 'g')

// Node decodes a byte beyond ASCII as Latin-1.
const percentEncode = (character: string): string =>
  `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`

const ANYWHERE = 'http://local.invalid'

/** A path of this service, with its query and place; undefined for anything that could lead elsewhere. */
export function localPath(given: string | undefined): string | undefined {
  if (given === undefined || !given.startsWith('/') || /[\\\u0000-\u0020]/.test(given)) return undefined
  const url = URL.parse(given, ANYWHERE)
  return url !== null && url.origin === ANYWHERE && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : undefined
}

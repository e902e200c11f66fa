/** The credential in an Authorization header. */
export type Authorization =
  | { readonly scheme: 'basic'; readonly name: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly key: string }

/** RFC 7617 and RFC 6750; undefined for other schemes and malformed headers. */
export function readAuthorization(header: string): Authorization | undefined {
  const space = header.indexOf(' ')
  const scheme = header.slice(0, Math.max(space, 0)).toLowerCase()
  const rest = header.slice(space + 1).trim()
  if (scheme === 'bearer') return rest === '' ? undefined : { scheme, key: rest }
  if (scheme !== 'basic') return undefined
  const text = Buffer.from(rest, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { scheme, name: text.slice(0, colon), password: text.slice(colon + 1) }
}

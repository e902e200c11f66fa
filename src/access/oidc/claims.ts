import { isRole, roles } from '../../values/role.ts'

/** A provider's claims about a person. */
export type Claims = { readonly [name: string]: unknown }

/** Claims that only ID tokens have. OpenID Connect Core 1.0 §2, §3.3.2.11 */
const ofIdTokens = ['nonce', 'at_hash', 'c_hash', 's_hash']

/**
 * Whether verified claims are those of an access token. RFC 9068 §2.1 gives it its own type; providers that do not set
 * it must name a scope, and not our client as audience, which every ID token has.
 */
export function isAccessToken(claims: Claims, type: string | undefined, clientId: string): boolean {
  if (type !== undefined && /^(application\/)?at\+jwt$/i.test(type)) return true
  if (ofIdTokens.some((name) => name in claims) || claims.typ === 'ID') return false
  if ([claims.aud].flat().includes(clientId)) return false
  return typeof claims.scope === 'string' || claims.scp !== undefined
}

/** The role that a claim gives: one that admins made, or else the highest of the others; undefined if it gives none. */
export function roleOf(claims: Claims, claim: string, map: ReadonlyMap<string, string>): string | undefined {
  const values = [valueAt(claims, claim)].flat().filter((value) => typeof value === 'string')
  const given = values.map((value) => map.get(value)).filter((role) => role !== undefined)
  const highest = roles.findLast((role) => given.includes(role))
  return given.find((role) => !isRole(role)) ?? highest ?? map.get('*')
}

export const hasClaim = (claims: Claims, claim: string): boolean => valueAt(claims, claim) !== undefined

/** A claim by its name, else by its path. Own members only, so `constructor` is not a claim. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}

/** The names that a person would like to have here, best first. */
export function wantedNames(claims: Claims): readonly string[] {
  const { preferred_username: preferred, email, sub } = claims
  return [preferred, email, sub].filter((name) => typeof name === 'string' && name.trim() !== '').map(String)
}

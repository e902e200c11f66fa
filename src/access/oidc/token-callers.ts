import type { OidcSettings } from '../../config.ts'
import type { KnownCaller } from '../../store/port/accounts.ts'
import type { Store } from '../../store/port/store.ts'
import { includesRole, isRole } from '../../values/role.ts'
import { callerOf } from '../caller-of.ts'
import { secretHash } from '../secrets.ts'
import type { RefusedCredential } from '../verification.ts'
import { admitPerson } from './admit-person.ts'
import { hasClaim, roleOf } from './claims.ts'
import type { IdentifiedPerson, IdentityProvider, ProviderRefusal } from './provider.ts'

/**
 * Whom an access token of the provider names; undefined if it names nobody who may call. A new person becomes a user if
 * the address of the call is given. A person who is not admitted is refused as unknown, and the audit has the reason.
 */
export type TokenCallers = (
  token: string,
  address: string | undefined,
  now: string,
) => Promise<KnownCaller | RefusedCredential | undefined>

/** Seconds after which a caller tries again when the provider's keys cannot be read. */
const PROVIDER_AWAY = 5

/**
 * The role is the lesser of the token's and the user's; a token without the claim has the user's role. decisions/0034
 */
export function tokenCallers(
  provider: IdentityProvider,
  store: Pick<Store, 'accounts' | 'perform'>,
  settings: OidcSettings,
): TokenCallers {
  const { accounts } = store
  const verify = rememberVerified(provider.verify)
  return async (token, address, now) => {
    const person = await verify(token, Date.parse(now))
    if ('refused' in person) {
      return person.refused === 'unavailable' ? { refused: 'busy', retryAfter: PROVIDER_AWAY } : undefined
    }
    const { roleClaim, roleMap } = settings
    const told = roleOf(person.claims, roleClaim, roleMap)
    const isOut = told === undefined && hasClaim(person.claims, roleClaim)
    const known = isOut ? undefined : await accounts.findIdentified(person)
    const user = known ?? (address && (await admitPerson(store, settings, person, address)))
    if (user && 'refused' in user) return { refused: 'unknown' }
    if (!user || user.disabled) return undefined
    return callerOf(user, lesserRole(told, user.role), 'token')
  }
}

/** A role that admins made takes away from the user's, whatever it grants. */
const lesserRole = (told: string | undefined, own: string): string =>
  told === undefined || (isRole(told) && isRole(own) && includesRole(told, own)) ? own : told

/** Milliseconds until a signature is checked again: it costs seven times as much as looking up the user. */
const VERIFIED_FOR = 60_000
const MOST_VERIFIED = 10_000

/** Remembers only the token, and never beyond its end; whether the user may still call is checked more often. */
function rememberVerified(verify: IdentityProvider['verify']) {
  const verified = new Map<string, { readonly person: IdentifiedPerson; readonly until: number }>()
  return async (token: string, now: number): Promise<IdentifiedPerson | ProviderRefusal> => {
    const hash = secretHash(token)
    const known = verified.get(hash)
    if (known !== undefined && now < known.until) return known.person
    verified.delete(hash)
    const person = await verify(token)
    if ('refused' in person) return person
    if (verified.size >= MOST_VERIFIED) verified.delete(verified.keys().next().value ?? '')
    verified.set(hash, { person, until: Math.min(now + VERIFIED_FOR, Number(person.claims.exp) * 1000) })
    return person
  }
}

/** RFC 7519 §3: three parts with dots between them; a key has none. */
export const isToken = (key: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(key)

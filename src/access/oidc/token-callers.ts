import type { OidcSettings } from '../../config.ts'
import type { Accounts, KnownCaller } from '../../store/port/accounts.ts'
import { includesRole } from '../../values/role.ts'
import type { RefusedCredential } from '../verification.ts'
import { admitPerson } from './admit-person.ts'
import { roleOf } from './claims.ts'
import type { IdentityProvider } from './provider.ts'

/** Whom an access token of the provider names; undefined if it names nobody who may call. */
export type TokenCallers = (
  token: string,
  address: string,
  now: string,
) => Promise<KnownCaller | RefusedCredential | undefined>

/** Seconds after which a caller tries again when the provider's keys cannot be read. */
const PROVIDER_AWAY = 5

/** The role is the lesser of what the token says and what the user has; a token that says none has the user's. */
export function tokenCallers(provider: IdentityProvider, accounts: Accounts, settings: OidcSettings): TokenCallers {
  return async (token, address, now) => {
    const person = await provider.verify(token)
    if ('refused' in person) {
      return person.refused === 'unavailable' ? { refused: 'busy', retryAfter: PROVIDER_AWAY } : undefined
    }
    const told = roleOf(person.claims, settings.roleClaim, settings.roleMap)
    const known = await accounts.findIdentified(person)
    const user = known ?? (await admitPerson(accounts, settings, person, address, now))
    if ('refused' in user || user.disabled) return undefined
    const { name, fullName, lastSeenAt: seenAt } = user
    const role = told === undefined || includesRole(told, user.role) ? user.role : told
    return { name, role, user: name, session: null, fullName, seenAt }
  }
}

/** RFC 7519 §3: three parts with dots between them; a key has none. */
export const isToken = (key: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(key)

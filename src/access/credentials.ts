import { IDLE_SESSION } from '../model/nouns/user/session.ts'
import type { Accounts, KnownCaller } from '../store/port/accounts.ts'
import { callerOf } from './caller-of.ts'
import { isToken, type TokenCallers } from './oidc/token-callers.ts'
import { secretHash } from './secrets.ts'
import type { RefusedCredential } from './verification.ts'

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

/** The person a credential names, and for a password its hash. */
interface Found {
  readonly known: KnownCaller | undefined
  readonly proof: string | undefined
}

/** Looks up whom a credential names now; nothing is cached here. */
export function credentialFinder(accounts: Accounts, wall: () => number, tokens: TokenCallers | undefined) {
  return { find, findSession }

  /** Without an address, a token admits only existing users. */
  async function find(authorization: Authorization, address: string | undefined): Promise<Found | RefusedCredential> {
    if (authorization.scheme === 'bearer') {
      const { key } = authorization
      const moment = new Date(wall()).toISOString()
      const known =
        tokens !== undefined && isToken(key)
          ? await tokens(key, address, moment)
          : await accounts.callerByKey(secretHash(key), moment)
      return known !== undefined && 'refused' in known ? known : { known, proof: undefined }
    }
    const account = await accounts.find(authorization.name)
    if (account === undefined || account.user.disabled || account.hash === null) {
      return { known: undefined, proof: undefined }
    }
    const { user } = account
    return { known: callerOf(user, user.role, 'password'), proof: account.hash }
  }

  function findSession(token: string): Promise<KnownCaller | undefined> {
    const moment = wall()
    const idleSince = new Date(moment - IDLE_SESSION).toISOString()
    return accounts.callerBySession(secretHash(token), new Date(moment).toISOString(), idleSince)
  }
}

import type { SignInTicket } from '../../../access/oidc/provider.ts'
import type { Call } from '../../../http/contract/endpoint.ts'
import { LONGEST_ABSENCE } from './kept-form.ts'

/** The state of a sign-in at the provider, which a browser keeps, and where the person wanted to go. */
export interface Ticket extends SignInTicket {
  readonly back?: string
  /** The secret of a form that waits for them. */
  readonly kept?: string
}

const NAME = 'dealdesk_sign_in'
/** Another host of the domain cannot plant a cookie of this prefix. */
const HOST_PREFIX = '__Host-'
const LARGEST = 3000

/**
 * Lax, because the provider's site leads back here. Browsers drop a longer cookie: arriving at home is better than no
 * sign-in.
 */
export function writeTicket(ticket: Ticket, call: Pick<Call, 'service' | 'peer'>): string {
  const { name, path, isSecure } = placeOf(call)
  const whole = encoded(ticket)
  const value = whole.length <= LARGEST ? whole : encoded({ ...ticket, back: undefined })
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Max-Age=${LONGEST_ABSENCE / 1000}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
}

const encoded = (ticket: object): string => Buffer.from(JSON.stringify(ticket)).toString('base64url')

function placeOf({ service, peer }: Pick<Call, 'service' | 'peer'>) {
  const { baseUrl } = service.settings
  const isSecure = peer.isSecure || baseUrl.startsWith('https:')
  const path = baseUrl === '' ? '/' : new URL(`${baseUrl}/`).pathname
  return { name: isSecure && path === '/' ? HOST_PREFIX + NAME : NAME, path, isSecure }
}

/** By the same name under which it was written. */
export function readTicket(header: string | undefined, call: Pick<Call, 'service' | 'peer'>): Ticket | undefined {
  const { name } = placeOf(call)
  const [, value] = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,${LARGEST}})(?:;|$)`).exec(header ?? '') ?? []
  if (value === undefined) return undefined
  try {
    const read: unknown = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))
    return isTicket(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isTicket(read: unknown): read is Ticket {
  if (typeof read !== 'object' || read === null) return false
  const { state, nonce, verifier, back, kept } = read as { readonly [name: string]: unknown }
  const isText = [state, nonce, verifier].every((each) => typeof each === 'string' && each !== '')
  return isText && [back, kept].every((each) => each === undefined || typeof each === 'string')
}

import { seal, unseal } from '../../../access/seal.ts'
import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import type { Call } from '../../../http/contract/endpoint.ts'
import { localPath } from '../../../values/address.ts'
import { formBounds, requestBounds } from '../../../values/bounds.ts'
import type { SessionCookies } from './start-session.ts'

/** A form that was sent after the session had ended: its target and its fields as sent. */
export interface KeptForm {
  readonly path: string
  readonly content: string
}

/** The form as the sign-in page keeps it; undefined if it is too long. */
export function writeKept(path: string, content: Buffer): string | undefined {
  return content.length > formBounds.kept ? undefined : JSON.stringify({ path, content: content.toString('utf8') })
}

/** Read back from the page, whose sender may have written anything: only a local path is accepted. */
export function keptForm(text: string | undefined): KeptForm | undefined {
  if (text === undefined) return undefined
  try {
    const { path, content } = JSON.parse(text) as Partial<Record<'path' | 'content', unknown>>
    const local = typeof path === 'string' && path.length <= requestBounds.address ? localPath(path) : undefined
    const isWhole = typeof content === 'string' && content.length <= formBounds.kept
    return local === undefined || signsIn(local) || !isWhole ? undefined : { path: local, content }
  } catch {
    return undefined
  }
}

/** Public addresses: a form there is never kept, and one kept within another would nest forever. */
const signsIn = (path: string): boolean =>
  ['sign-in', 'sign-out', 'invitations', 'set-up'].includes(decodeURIComponent(path).split(/[/.?#;]/)[1] ?? '')

/** Milliseconds for which a form waits for its sender, who is at the provider. */
export const LONGEST_ABSENCE = 600_000

/** Stores a form in the form of the page: returns the secret that opens it; undefined if it cannot be stored. */
export async function storeKept(kept: string, { service, peer }: Call): Promise<string | undefined> {
  const secret = newSecret()
  const now = Date.now()
  const endsAt = new Date(now + LONGEST_ABSENCE).toISOString()
  const form = { hash: secretHash(secret), address: peer.address, endsAt, sealed: seal(kept, secret) }
  return (await service.store.accounts.keepForm(form, new Date(now).toISOString())) ? secret : undefined
}

/** The form that a secret opens, once. */
export async function takeKept(secret: string | undefined, { service }: Call): Promise<string | undefined> {
  if (secret === undefined) return undefined
  const sealed = await service.store.accounts.takeForm(secretHash(secret), new Date().toISOString())
  return sealed && unseal(sealed, secret)
}

/** Sends the form as its user now, and returns the answer, with the cookies of the session added. */
export async function sendKept(
  { path, content }: KeptForm,
  [session, user]: SessionCookies,
  call: Call,
): Promise<Answer> {
  const form = { path, content, cookie: session.split(';', 1)[0] ?? '' }
  const { status, headers, cookies, text } = await call.service.state.dispatch(form, call)
  const caching = headers['cache-control']
  const kept = { ...(caching !== undefined && { 'cache-control': caching }) }
  const signedIn = { status, cookies: [session, ...cookies, user] }
  if (status === 303) return { ...signedIn, headers: { location: headers.location ?? '', ...kept } }
  return { ...signedIn, content: text, contentType: headers['content-type'] ?? 'text/html', headers: kept }
}

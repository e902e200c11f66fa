import { seal, unseal } from '../../../access/seal.ts'
import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import { type Call, LONGEST_KEPT } from '../../../http/contract/endpoint.ts'
import { LONGEST_ADDRESS, localPath } from '../../../values/address.ts'

/** A form that was sent after the session had ended: where to, and its fields as they were sent. */
export interface KeptForm {
  readonly path: string
  readonly content: string
}

/** What the sign-in page keeps of a form; undefined where it is too long. */
export function writeKept(path: string, content: Buffer): string | undefined {
  return content.length > LONGEST_KEPT ? undefined : JSON.stringify({ path, content: content.toString('utf8') })
}

/** Read back from the page, whose sender may have written anything: only a local path is taken. */
export function keptForm(text: string | undefined): KeptForm | undefined {
  if (text === undefined) return undefined
  try {
    const { path, content } = JSON.parse(text) as Partial<Record<'path' | 'content', unknown>>
    const local = typeof path === 'string' && path.length <= LONGEST_ADDRESS ? localPath(path) : undefined
    const isWhole = typeof content === 'string' && content.length <= LONGEST_KEPT
    return local === undefined || signsIn(local) || !isWhole ? undefined : { path: local, content }
  } catch {
    return undefined
  }
}

/** Addresses that anybody may send to: a form there is never kept, and one kept within another would nest for ever. */
const signsIn = (path: string): boolean =>
  ['sign-in', 'sign-out', 'invitations', 'set-up'].includes(decodeURIComponent(path).split(/[/.?#;]/)[1] ?? '')

/** Milliseconds that a form waits for its sender, who is at the provider. */
export const LONGEST_ABSENCE = 600_000

/** Keeps a form, as the page kept it, in the store: gives the secret that opens it; undefined if it cannot be kept. */
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

/** Sends the form as its user now, and gives what it was answered, with the cookie beside its own. */
export async function sendKept({ path, content }: KeptForm, cookie: string, call: Call): Promise<Answer> {
  const form = { path, content, cookie: cookie.split(';', 1)[0] ?? '' }
  const { status, headers, cookies, text } = await call.service.state.dispatch(form, call)
  const caching = headers['cache-control']
  const signedIn = { 'set-cookie': cookie, ...(caching !== undefined && { 'cache-control': caching }) }
  if (status === 303) return { status, headers: { location: headers.location ?? '', ...signedIn }, cookies }
  return { content: text, contentType: headers['content-type'] ?? 'text/html', status, headers: signedIn, cookies }
}

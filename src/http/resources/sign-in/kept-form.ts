import type { Answer } from '../../answer.ts'
import type { Call } from '../../endpoint.ts'
import { localPath } from './local-path.ts'

/** A form that was sent after the session had ended: where to, and its fields as they were sent. */
export interface KeptForm {
  readonly path: string
  readonly content: string
}

export const LONGEST_KEPT = 65_536

/** What the sign-in page keeps of a form; undefined where it is too long. */
export function writeKept(path: string, content: Buffer): string | undefined {
  return content.length > LONGEST_KEPT ? undefined : JSON.stringify({ path, content: content.toString('utf8') })
}

/** Read back from the page, whose sender may have written anything: only a local path is taken. */
export function keptForm(text: string | undefined): KeptForm | undefined {
  if (text === undefined) return undefined
  try {
    const { path, content } = JSON.parse(text) as Partial<Record<'path' | 'content', unknown>>
    const local = typeof path === 'string' ? localPath(path) : undefined
    return local === undefined || typeof content !== 'string' ? undefined : { path: local, content }
  } catch {
    return undefined
  }
}

/** Sends the form as its user now, and gives what it was answered, with the cookie. */
export async function sendKept({ path, content }: KeptForm, cookie: string, call: Call): Promise<Answer> {
  const { status, headers, text } = await call.service.state.dispatch({
    path,
    content,
    cookie: cookie.split(';', 1)[0] ?? '',
    headers: call.headers,
  })
  if (status === 303) return { status, headers: { location: headers.location ?? '', 'set-cookie': cookie } }
  return {
    content: text,
    contentType: headers['content-type'] ?? 'text/html',
    status,
    headers: { 'set-cookie': cookie },
  }
}

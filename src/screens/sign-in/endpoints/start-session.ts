import { newSecret, secretHash } from '../../../access/secrets.ts'
import { type Call, header } from '../../../http/contract/endpoint.ts'
import type { SessionCookie } from '../../../http/contract/service-parts.ts'
import { LONGEST_SESSION } from '../../../model/nouns/user/session.ts'
import type { NewSession } from '../../../store/port/accounts.ts'
import { orderedIds } from '../../../store/port/ordered-ids.ts'
import { textFault } from '../../../values/kinds/text.ts'

const newId = orderedIds()

export type SessionCookies = ReturnType<SessionCookie['set']>

/**
 * Signs a user in: a new session, which ends the browser's previous one. Returns the headers that set its cookies, or
 * undefined if the user is disabled, or the verified password, whose hash is `proof`, was changed meanwhile. `how` is
 * for the audit.
 */
export async function startSession(
  user: string,
  call: Call,
  how: string,
  shown: Pick<NewSession, 'proof' | 'signedInAt'> = {},
): Promise<SessionCookies | undefined> {
  const { store, cookie, access } = call.service
  const token = newSecret()
  const now = Date.now()
  const createdAt = new Date(now).toISOString()
  const session = {
    id: newId(now),
    user,
    client: clientOf(call),
    address: call.peer.address,
    createdAt,
    endsAt: new Date(now + LONGEST_SESSION).toISOString(),
    seenAt: createdAt,
  }
  const before = cookie.read(header(call, 'cookie'))
  const opened = { session, hash: secretHash(token), ...shown }
  const replaces = before === undefined ? undefined : secretHash(before)
  const by = { actor: user, address: call.peer.address }
  if (!(await store.accounts.openSession(opened, replaces, by, how))) return undefined
  access.refresh()
  return cookie.set(token, user, call.peer.isSecure)
}

const LONGEST_CLIENT = 200

/** The browser as it names itself. */
function clientOf(call: Call): string | null {
  const named = header(call, 'user-agent')?.trim().slice(0, LONGEST_CLIENT) ?? ''
  return named === '' || textFault(named) !== undefined ? null : named
}

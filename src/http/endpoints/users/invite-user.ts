import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Invitation } from '../../../store/port/accounts.ts'
import type { Call } from '../../contract/endpoint.ts'
import { authorOf } from './addressed-user.ts'

/** Milliseconds until an invitation ends. */
const INVITED_FOR = 7 * 24 * 3_600_000

/** The link by which a user sets a password, once; it replaces an earlier one. Undefined if the user is gone. */
export async function inviteUser(user: string, call: Call): Promise<string | undefined> {
  const { store, addresses } = call.service
  const token = newSecret()
  return (await store.accounts.invite(invitationOf(user, token), authorOf(call)))
    ? addresses.invitation(token)
    : undefined
}

export function invitationOf(user: string, token: string): Invitation {
  const now = Date.now()
  const [createdAt, endsAt] = [now, now + INVITED_FOR].map((at) => new Date(at).toISOString()) as [string, string]
  return { user, hash: secretHash(token), createdAt, endsAt }
}

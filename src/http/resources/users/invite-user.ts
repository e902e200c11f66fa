import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Call } from '../../endpoint.ts'
import { authorOf } from './addressed-user.ts'

/** Milliseconds until an invitation ends. */
const INVITED_FOR = 7 * 24 * 3_600_000

/** The link by which a user sets a password, once; it replaces an earlier one. Undefined if the user is gone. */
export async function inviteUser(user: string, call: Call): Promise<string | undefined> {
  const token = newSecret()
  const now = Date.now()
  const createdAt = new Date(now).toISOString()
  const endsAt = new Date(now + INVITED_FOR).toISOString()
  const { store, addresses } = call.service
  const isInvited = await store.accounts.invite({ user, hash: secretHash(token), createdAt, endsAt }, authorOf(call))
  return isInvited ? addresses.invitation(token) : undefined
}

import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Invitation } from '../../../model/user/operations.ts'

/** Milliseconds until an invitation ends. */
const INVITED_FOR = 7 * 24 * 3_600_000

/** A link by which a user sets a password, once, and its secret. */
export function newInvitation(secret: string = newSecret()) {
  const now = Date.now()
  const [createdAt, endsAt] = [now, now + INVITED_FOR].map((at) => new Date(at).toISOString()) as [string, string]
  const prepared: Invitation = { hash: secretHash(secret), createdAt, endsAt }
  return { prepared, secret }
}

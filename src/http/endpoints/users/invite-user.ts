import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Invitation } from '../../../model/nouns/user/operations.ts'

/** Milliseconds until an invitation ends. */
const INVITED_FOR = 7 * 24 * 3_600_000

/** A one-time link with which a user sets a password, and its secret. */
export function newInvitation(secret: string = newSecret()) {
  const now = Date.now()
  const [createdAt, endsAt] = [now, now + INVITED_FOR].map((at) => new Date(at).toISOString()) as [string, string]
  const prepared: Invitation = { hash: secretHash(secret), createdAt, endsAt }
  return { prepared, secret }
}

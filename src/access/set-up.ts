import { randomBytes } from 'node:crypto'
import type { Accounts } from '../store/port/accounts.ts'
import { secretHash } from './secrets.ts'

const HOUR = 3_600_000
const CODE_BYTES = 16

/**
 * The one-time code for creating the first admin, valid for an hour and five attempts in all, on any instance. If
 * another start has logged a code that can still be used, that one stays, and `since` is its time.
 */
export async function makeSetUpCode(
  accounts: Accounts,
  now: number,
): Promise<{ readonly code: string } | { readonly since: string }> {
  const code = randomBytes(CODE_BYTES).toString('hex')
  const [createdAt, endsAt] = [now, now + HOUR].map((at) => new Date(at).toISOString()) as [string, string]
  const since = await accounts.openSetUp({ hash: secretHash(code), createdAt, endsAt })
  return since === undefined ? { code } : { since }
}

/** As people type it. */
export const trySetUpCode = (accounts: Accounts, code: string): ReturnType<Accounts['trySetUp']> =>
  accounts.trySetUp(secretHash(code.trim().toLowerCase()), new Date().toISOString())

import type { RefusedCredential } from '../../access/verification.ts'
import type { Problem } from '../respond/problems/problem.ts'

/** A refused credential as a problem, whichever way it came. */
export function refusedCredential(refused: RefusedCredential, detail: string): Problem {
  if (refused.refused === 'unknown') return { code: 'wrong-password', detail }
  const { retryAfter } = refused
  const headers = { 'retry-after': String(retryAfter) }
  if (refused.refused === 'busy')
    return { code: 'unavailable', detail: 'Credentials cannot be checked right now.', headers }
  return {
    code: 'too-many-requests',
    detail: `Too many credentials were wrong; you may try again in ${retryAfter} s.`,
    headers,
  }
}

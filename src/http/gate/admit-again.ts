import type { Identified } from '../../access/access.ts'
import { isAdmitted, type Role } from '../../values/role.ts'
import { type Call, header } from '../contract/endpoint.ts'
import { forbidden, type Problem } from '../contract/problems/problem.ts'
import { refusedCredential } from './refused-credential.ts'

type Admitted = Pick<Call, 'caller' | 'role'>
type AdmittedAgain = Admitted | { readonly problem: Problem }

/**
 * Checks an admitted caller again: returns their current role, or the reason why they are no longer admitted. The store
 * is read about once a second, however often this is called.
 */
export function admitAgain(
  { caller, role, actor, headers, service: { access, cookie } }: Admitted & Pick<Call, 'actor' | 'headers' | 'service'>,
  needs: Role,
  byGrants = false,
): AdmittedAgain | Promise<AdmittedAgain> {
  // Admitted while the service was open: there may be users by now.
  if (caller === null) {
    const judgeOpen = (any: boolean): AdmittedAgain => (any ? { problem: ended } : { caller, role })
    const any = access.hasAny(true)
    return any instanceof Promise ? any.then(judgeOpen) : judgeOpen(any)
  }
  const judgeKnown = (known: Identified): AdmittedAgain => {
    if ('refused' in known) return { problem: known.refused === 'unknown' ? ended : refusedCredential(known, '') }
    const now = { caller: known.caller, role: known.caller.role }
    return isAdmitted(known.caller, needs, byGrants) ? now : { problem: forbidden(needs, { actor, role: now.role }) }
  }
  const credential =
    caller.session === null ? header({ headers }, 'authorization') : cookie.read(header({ headers }, 'cookie'))
  const known = access.identifyAgain(caller, credential ?? '')
  return known instanceof Promise ? known.then(judgeKnown) : judgeKnown(known)
}

const ended: Problem = { code: 'unauthorized', detail: 'The credential is no longer valid.' }

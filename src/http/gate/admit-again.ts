import { includesRole, type Role } from '../../values/role.ts'
import { type Call, header } from '../endpoint.ts'
import { forbidden, type Problem } from '../respond/problems/problem.ts'
import { refusedCredential } from './refused-credential.ts'

type Admitted = Pick<Call, 'caller' | 'role'>

/**
 * Judges the caller of an answer that lasts once more: with the role that they have now, or the reason why they are no
 * longer let in. The store is asked about once a second, however often this is called.
 */
export async function admitAgain(call: Call, needs: Role): Promise<Admitted | { readonly problem: Problem }> {
  const { caller, role, actor } = call
  const { access, cookie } = call.service
  // Let in by a service that was open: there may be users by now.
  if (caller === null) return (await access.hasAny(true)) ? { problem: ended } : { caller, role }
  const credential = caller.session === null ? header(call, 'authorization') : cookie.read(header(call, 'cookie'))
  const known = await access.identifyAgain(caller, credential ?? '')
  if ('refused' in known) return { problem: known.refused === 'unknown' ? ended : refusedCredential(known, '') }
  const now = { caller: known.caller, role: known.caller.role }
  return includesRole(now.role, needs) ? now : { problem: forbidden(needs, { actor, role: now.role }) }
}

const ended: Problem = { code: 'unauthorized', detail: 'The credential is not known any more.' }

import type { Told } from '../../../languages/tell.ts'
import { proofMembers } from '../../../model/user/password.ts'
import { checkGuard, type Guard, type State } from '../../../values/guard.ts'
import { readMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import { invalidBody, type Problem, refusalProblem } from '../../contract/problems/problem.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'
import type { AddressedUser } from './addressed-user.ts'

/** Milliseconds for which a sign-in proves that it is still the same person. */
const RECENT = 600_000

/** The problems that a change of one's own credentials has besides its own. */
export const unproved = ['forbidden', 'wrong-password', 'sign-in-again'] as const

const WRONG: Told = 'The password is not right.'

type Self = Pick<AddressedUser, 'user' | 'isSelf'>

/**
 * What gives access to a user is changed by the person, not by a program with their key or token: what was lent for a
 * day would renew itself, and a leaked key outlive its withdrawal. decisions/0054
 */
export function deniesProgram({ isSelf }: Pick<Self, 'isSelf'>, { caller }: Pick<Call, 'caller'>): Problem | undefined {
  if (!isSelf || caller === null || caller.by === 'password' || caller.by === 'session') return undefined
  return {
    code: 'forbidden',
    detail:
      'This is changed by the person alone: a key or an access token cannot change what gives access to its own user.',
  }
}

/** A browser that was left open is not enough: the person signed in a moment ago, or gives the password. */
export async function proveOneself(
  { user, isSelf }: Self,
  password: string | undefined,
  { caller, service, peer }: Call,
): Promise<Problem | undefined> {
  if (!isSelf || caller === null) return undefined
  if (password !== undefined) {
    const proved = await service.access.prove(user.name, password, peer.address)
    return 'refused' in proved ? refusedCredential(proved, WRONG) : undefined
  }
  const { by, signedInAt } = caller
  if (by !== 'session' || (signedInAt !== null && Date.now() - Date.parse(signedInAt) < RECENT)) return undefined
  return {
    code: 'sign-in-again',
    detail: 'The sign-in is more than ten minutes ago: sign in again, or send your password with the change.',
  }
}

/** The reason to refuse a change that has no members of its own. No page names the state, so none is required. */
export async function refuseChange(
  found: Self,
  guard: Guard,
  state: State,
  call: Call,
): Promise<Extract<Answer, { problem: unknown }> | undefined> {
  const denied = deniesProgram(found, call)
  if (denied !== undefined) return { problem: denied }
  const failed = checkGuard({ ...guard, required: false }, state)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const given = readProof(call)
  if ('problem' in given) return given
  const unproven = await proveOneself(found, given.password, call)
  return unproven && { problem: unproven }
}

function readProof(call: Call): { readonly password: string | undefined } | { readonly problem: Problem } {
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, proofMembers)
  const read = readMembers(proofMembers, raw)
  return 'faults' in read ? { problem: invalidBody(read.faults) } : { password: read.values.password }
}

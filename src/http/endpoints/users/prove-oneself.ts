import type { Told } from '../../../languages/tell.ts'
import type { User } from '../../../model/user/user.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'
import type { Prepared } from '../managed-writes.ts'

/** Milliseconds for which a sign-in proves that it is still the same person. */
const RECENT = 600_000

/** The additional problems of a change of the caller's own credentials. */
export const unproved = ['forbidden', 'wrong-password', 'sign-in-again'] as const

const WRONG: Told = 'The password is wrong.'

/** An unattended browser is not enough: the person must have signed in recently, or gives the password. */
export async function proveOneself(
  user: Pick<User, 'name'> | null,
  password: string | undefined,
  { caller, service, peer }: Call,
): Promise<Problem | undefined> {
  if (caller === null || user === null || caller.user !== user.name) return undefined
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

/** Verifies the caller, and then prepares what the operation needs. */
export const proved =
  <P>(make: () => Prepared<P>) =>
  async (
    {
      facts,
      values,
    }: { readonly facts: { readonly user: User | null }; readonly values: { readonly password?: string } },
    call: Call,
  ): Promise<Prepared<P> | { readonly problem: Problem }> => {
    const problem = await proveOneself(facts.user, values.password, call)
    return problem === undefined ? make() : { problem }
  }

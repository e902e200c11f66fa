import type { Told } from '../../../languages/tell.ts'
import type { User } from '../../../model/nouns/user/user.ts'
import type { Preparation } from '../../../store/port/store.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem, RefusedCall } from '../../contract/problems/problem.ts'
import type { Prepared } from '../../contract/write.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'

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
  (make: () => Prepared) =>
  async ({ thing, known, params }: Preparation, call: Call): Promise<Prepared | RefusedCall> => {
    const { user = thing } = (known ?? {}) as { readonly user?: User | null }
    const { password } = params as { readonly password?: string }
    const problem = await proveOneself(user as User | null, password, call)
    return problem === undefined ? make() : { problem }
  }

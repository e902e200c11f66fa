import type { Author } from '../model/managed/managed-operation.ts'
import { type ManagedIntent, OPERATOR } from '../model/managed/managed-operation.ts'
import type { ManagedRefusal } from '../model/managed/refusal.ts'
import type { User } from '../model/user/user.ts'
import type { ManagedOutcome } from '../store/port/managed.ts'
import type { Store } from '../store/port/store.ts'
import type { Fault } from '../values/faults/fault.ts'
import type { Role } from '../values/role.ts'
import { hashPassword } from './password.ts'
import { newSecret, secretHash } from './secrets.ts'

type Manages = Pick<Store, 'manage'>

interface NewCredential {
  readonly name: string
  readonly role: Role
}

/** A user with only a name and a role. */
export const plainUser = ({ name, role, now }: NewCredential & { readonly now: string }): User => ({
  name,
  fullName: null,
  email: null,
  role,
  locale: null,
  timeZone: null,
  disabled: false,
  developer: false,
  createdAt: now,
  updatedAt: now,
  revision: 1,
  invited: true,
  lastSeenAt: null,
})

type AskedAlone = Pick<ManagedIntent, 'on' | 'operation'> & Partial<Pick<ManagedIntent, 'target' | 'params'>>

/** Asks at the word of the operator, or of the provider: nobody has to prove who they are. */
export async function manageAlone(
  { manage }: Manages,
  asked: AskedAlone,
  prepare: () => unknown = () => null,
  author: Author = operator,
): Promise<Exclude<ManagedOutcome, { kind: 'prepare' }>> {
  const about = { target: {}, params: {}, ...asked, guard: { required: false }, dryRun: false }
  const intent: ManagedIntent = { ...about, manager: OPERATOR, author }
  const first = await manage(intent)
  const outcome = first.kind === 'prepare' ? await manage({ ...intent, prepared: await prepare() }) : first
  if (outcome.kind === 'prepare') throw new Error(`nothing prepares to ${asked.operation} a ${asked.on}`)
  return outcome
}

export async function addUser(
  store: Manages,
  { password, ...user }: NewCredential & { readonly password: string },
): Promise<{ readonly added: string } | { readonly fault: Fault }> {
  const asked = { on: 'user', operation: 'create', params: { ...user, password } }
  const outcome = await manageAlone(store, asked, async () => ({ hash: await hashPassword(password) }))
  if (outcome.kind === 'refused') return { fault: faultOf(outcome.refusal) }
  // As it was read, without the white space around it.
  return { added: (outcome.thing as User).name }
}

/** Returns the key, which cannot be read again: only its hash is stored. */
export async function addKey(
  store: Manages,
  { user, ...key }: NewCredential & { readonly user?: string; readonly endsAt?: string },
): Promise<{ readonly key: string } | { readonly fault: Fault }> {
  const made = newKey()
  const target: ManagedIntent['target'] = user === undefined ? {} : { name: user }
  const asked = { on: 'key', operation: 'create', target, params: key }
  const outcome = await manageAlone(store, asked, () => secretHash(made))
  return outcome.kind === 'refused' ? { fault: faultOf(outcome.refusal) } : { key: made }
}

export const newKey = (): string => `dd_${newSecret()}`

/** The person at the command line. */
export const operator: Author = { actor: null, address: null }

/** Why a user or a key was not added, for the command line. */
function faultOf(refusal: ManagedRefusal): Fault {
  switch (refusal.code) {
    case 'invalid':
      return refusal.faults[0] as Fault
    case 'name-taken': {
      const { name, of: user } = refusal
      return { code: 'taken', with: { name, ...(user !== undefined && { user }) }, at: {} }
    }
    case 'too-many-keys':
      return { code: 'too-many-keys', with: { user: refusal.user, max: refusal.most }, at: {} }
    case 'missing':
      return { code: 'no-user', with: { user: refusal.id }, at: {} }
    default:
      throw new Error(`the operator is refused: ${refusal.code}`)
  }
}

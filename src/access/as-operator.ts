import type { Author } from '../model/declaration/audit-note.ts'
import type { Refusal } from '../model/declaration/refusal.ts'
import type { Intent } from '../model/intent/intent.ts'
import type { User } from '../model/nouns/user/user.ts'
import { type Outcome, performAlone, type Store } from '../store/port/store.ts'
import type { Fault } from '../values/faults/fault.ts'
import { OPERATOR, type Role } from '../values/role.ts'
import { hashPassword } from './password.ts'
import { newSecret, secretHash } from './secrets.ts'

type Performs = Pick<Store, 'perform'>

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

interface AskedAlone {
  readonly on: string
  readonly operation: string
  readonly target?: string
  readonly within?: NonNullable<Intent['within']>
  readonly params?: object
  /** The result of the preparation outside the transaction, if it is known beforehand. */
  readonly prepared?: unknown
}

/** Asks at the word of the operator, or of the provider: nobody has to prove who they are. */
export function performAsOperator(
  store: Performs,
  { on, operation, params = {}, ...asked }: AskedAlone,
  prepare?: () => unknown,
  { actor, address, key }: Author = operator,
): Promise<Outcome> {
  const intent: Intent = {
    ...asked,
    resource: on,
    change: { action: operation, params },
    pointers: { target: '', action: '', params: '' },
    faults: [],
    guard: { required: false },
    caller: OPERATOR,
    form: 'address',
    dryRun: false,
    actor,
    address,
    ...(key && { key }),
  }
  return performAlone(store, intent, prepare)
}

export async function addUser(
  store: Performs,
  { password, ...user }: NewCredential & { readonly password: string },
): Promise<{ readonly added: string } | { readonly fault: Fault }> {
  const asked = { on: 'user', operation: 'create', params: { ...user, password } }
  const outcome = await performAsOperator(store, asked, async () => ({ hash: await hashPassword(password) }))
  if (outcome.kind === 'refused') return { fault: faultOf(outcome.refusal) }
  // As it was read, without the white space around it.
  return { added: String(outcome.thing.name) }
}

/** Returns the key, which cannot be read again: only its hash is stored. */
export async function addKey(
  store: Performs,
  { user, ...key }: NewCredential & { readonly user?: string; readonly endsAt?: string },
): Promise<{ readonly key: string } | { readonly fault: Fault }> {
  const made = newKey()
  const within = user === undefined ? {} : { user }
  const asked = { on: 'key', operation: 'create', within, params: key }
  const outcome = await performAsOperator(store, asked, () => secretHash(made))
  return outcome.kind === 'refused' ? { fault: faultOf(outcome.refusal) } : { key: made }
}

export const newKey = (): string => `dd_${newSecret()}`

/** The person at the command line. */
export const operator: Author = { actor: null, address: null }

/** Why a user or a key was not added, for the command line. */
function faultOf(refusal: Refusal): Fault {
  switch (refusal.code) {
    case 'invalid':
      return refusal.faults[0] as Fault
    case 'name-taken': {
      const { name, of: user } = refusal
      return { code: 'taken', with: { name, ...(user !== undefined && { user }) }, at: {} }
    }
    case 'too-many-keys':
      return { code: 'too-many-keys', with: { user: refusal.user, max: refusal.most }, at: {} }
    case 'not-found':
      return { code: 'no-user', with: { user: refusal.id }, at: {} }
    default:
      throw new Error(`the operator is refused: ${refusal.code}`)
  }
}

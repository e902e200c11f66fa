import type { Fault } from '../../values/faults/fault.ts'
import type { State } from '../../values/guard.ts'
import { nullable } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { required, withDefault } from '../../values/members.ts'
import { includesRole } from '../../values/role.ts'
import { assigned, type DocumentFields, secret, type ThingOf } from '../field.ts'
import { defineManaged, type Manager } from '../managed/managed-operation.ts'
import { defineManagedThing } from '../managed/managed-thing.ts'
import { proofMembers } from './password.ts'
import { byProgram, proving } from './rights.ts'
import { actorName, newActorName, role, type User } from './user.ts'

/** A program's credential; its secret is shown once and kept as a hash. */
export const key = defineManagedThing('key', {
  name: assigned(actorName),
  /** Null for keys that were made by the command line for no user, as those of earlier releases. */
  user: assigned(nullable(actorName)),
  role: assigned(role),
  endsAt: assigned(nullable(instant)),
  createdAt: assigned(instant),
  hash: secret(text({ min: 1, max: 100 })),
})

export type ApiKey = ThingOf<DocumentFields<typeof key.fields>>

/** More are a sign that something makes them by itself. */
export const MOST_KEYS = 50

/** Why a key cannot be made. */
export type KeyRefusal = 'taken' | 'too many'

/** `names` are those of the user's keys; for a key that belongs to nobody those of all users and such keys. */
export function keyRefusal(
  { name, user }: Pick<ApiKey, 'name' | 'user'>,
  names: readonly string[],
): KeyRefusal | undefined {
  if (names.some((each) => comparable(each) === comparable(name))) return 'taken'
  return user !== null && names.length >= MOST_KEYS ? 'too many' : undefined
}

/** Names that look the same are the same. */
const comparable = (name: string): string => name.normalize('NFKC').toLowerCase()

/** A user and the keys that they have. */
export interface NewKeyFacts {
  readonly user: User
  readonly names: readonly string[]
  /** When the key ends that asks; null if it does not, or none asks. */
  readonly lastsUntil: string | null
}

export interface KeyFacts {
  readonly user: User
  readonly key: ApiKey
}

const create = defineManaged({
  on: 'key',
  name: 'create',
  title: 'Make a key',
  params: () => ({
    name: required(newActorName),
    role: required(role),
    endsAt: withDefault(nullable(instant), null),
    ...proofMembers,
  }),
  body: { name: 'NewKey', examples: [{ name: 'nightly-import', role: 'reader' }] },
  // A token ends within minutes at its provider's word, and a key that it made would outlive it. decisions/0054
  denied: ({ user }: NewKeyFacts, _values, manager) =>
    byProgram(user, manager) ?? (manager.by === 'token' ? { code: 'denied', why: 'token' } : undefined),
  check: keyFaults,
  isPrepared: true,
  refused({ user: { name: of }, names }: NewKeyFacts, { values: { name } }) {
    const refusal = keyRefusal({ name, user: of }, names)
    if (refusal === undefined) return undefined
    return refusal === 'taken' ? { code: 'name-taken', name, of } : { code: 'too-many-keys', user: of, most: MOST_KEYS }
  },
  apply: ({ user }: NewKeyFacts, { values: { password: _proof, ...asked }, now }): ApiKey => ({
    ...asked,
    user: user.name,
    createdAt: now,
  }),
})

/** At most the user's role, and at most the role and the life of the key that makes it. */
function keyFaults(
  { role: asked, endsAt }: Pick<ApiKey, 'role' | 'endsAt'>,
  { user, lastsUntil }: NewKeyFacts,
  manager: Manager,
  now: string,
): readonly Fault[] {
  const most = manager.role === null || includesRole(manager.role, user.role) ? user.role : manager.role
  const isTooLong = lastsUntil !== null && (endsAt === null || endsAt > lastsUntil)
  const faults: Fault[] = []
  if (!includesRole(most, asked)) faults.push({ code: 'role-too-high', with: { max: most }, at: { pointer: '/role' } })
  if (endsAt !== null && endsAt <= now) faults.push({ code: 'in-the-past', at: { pointer: '/endsAt' } })
  if (isTooLong) faults.push({ code: 'too-late', with: { max: lastsUntil, wants: 'key' }, at: { pointer: '/endsAt' } })
  return faults
}

const withdraw = defineManaged({
  on: 'key',
  name: 'withdraw',
  title: 'Withdraw a key',
  ...proving<KeyFacts>(),
  state: (facts: KeyFacts) => keyState(facts.key),
  apply: (facts: KeyFacts) => facts.key,
})

/** A key never changes. */
export const keyState = ({ createdAt }: ApiKey): State => ({ revision: 1, updatedAt: createdAt })

export const keyOperations = { create, withdraw } as const

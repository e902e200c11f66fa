import type { Fault } from '../../../values/faults/fault.ts'
import type { State } from '../../../values/guard.ts'
import { nullable } from '../../../values/kinds/kind.ts'
import { text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { required, withDefault } from '../../../values/members.ts'
import { includesRole, isRole, rankOf } from '../../../values/role.ts'
import { assigned, type DocumentFields, secret, type ThingOf } from '../../declaration/field.ts'
import { type DecidingFacts, defineAudited } from '../../declaration/operation.ts'
import { defineResource } from '../../declaration/resource.ts'
import { proofMembers } from './password.ts'
import { byProgram, proving } from './rights.ts'
import { actorName, newActorName, role, roleIn, type User } from './user.ts'

/** A program's credential; its secret is shown once and stored as a hash. */
export const key = defineResource({
  feed: 'audit',
  name: 'key',
  plural: 'keys',
  path: '/users/:user/keys',
  key: 'name',
  fields: {
    name: assigned(actorName),
    /** Null for keys without a user, from the command line or earlier releases. */
    user: assigned(nullable(actorName)),
    role: assigned(role),
    endsAt: assigned(nullable(instant)),
    createdAt: assigned(instant),
    hash: secret(text({ min: 1, max: 100 })),
  },
  fieldsIn: (source) => ({ role: assigned(roleIn(source)) }),
  roles: { reads: 'reader', writes: 'reader' },
  privacy: { owner: 'user' },
  once: { secret: { type: 'string', maxLength: 100, description: 'Shown once, when it is made.' } },
  /** A key never changes. */
  state: ({ createdAt }): State => ({ revision: 1, updatedAt: createdAt }),
  title: ({ name }) => ({ text: 'Key {name}', with: { name } }),
})

export type ApiKey = ThingOf<DocumentFields<typeof key.fields>>

/** More suggest that a program creates them. */
export const MOST_KEYS = 50

/** Names that look the same are the same. */
const comparable = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The user of a new key and the names that it cannot have. */
export interface NewKeyFacts {
  /** Null for a key without a user. */
  readonly user: User | null
  readonly names: readonly string[]
  /** When the calling key ends; null if it does not, or the caller is not a key. */
  readonly lastsUntil: string | null
}

const create = defineAudited({
  on: key,
  name: 'create',
  to: 'nothing',
  title: 'Create a key',
  params: ({ schema }) => ({
    name: required(newActorName),
    role: required(roleIn(schema)),
    endsAt: withDefault(nullable(instant), null),
    ...proofMembers,
  }),
  body: { name: 'NewKey', examples: [{ name: 'nightly-import', role: 'reader' }] },
  // A token ends within minutes, and a key that it created would outlive it. decisions/0054
  denied: (_blank, _params, caller, { known: { user } }: { readonly known: NewKeyFacts }) =>
    byProgram(user, caller) ?? (caller.by === 'token' ? { code: 'denied', why: 'token' } : undefined),
  check: keyFaults,
  prepares: true,
  apply(_blank, { password: _proof, ...fields }, _now, { known: { user, names } }: DecidingFacts<object, NewKeyFacts>) {
    const { name } = fields
    const of = user?.name
    if (names.some((each) => comparable(each) === comparable(name)))
      return { refused: { code: 'name-taken', resource: 'key', name, ...(of && { of }) } }
    if (of !== undefined && names.length >= MOST_KEYS)
      return { refused: { code: 'too-many-keys', user: of, most: MOST_KEYS } }
    return fields
  },
  audit: {
    'key-made': {
      title: 'Key created',
      of: ({ user, name, role: of, endsAt }) => ({
        user,
        key: name,
        detail: endsAt === null ? of : `${of} until ${endsAt}`,
      }),
    },
  },
})

/** At most the user's role, and at most the role and the lifetime of the creating key. */
function keyFaults(
  { role: asked, endsAt = null }: Partial<Pick<ApiKey, 'role' | 'endsAt'>>,
  now: string,
  { known: { user, lastsUntil }, caller }: DecidingFacts<object, NewKeyFacts>,
): readonly Fault[] {
  const whole = rankOf(user?.role ?? 'admin')
  const most = caller === undefined || includesRole(caller.role, whole) ? whole : caller.role
  // A role that admins made takes away from the user's, whatever it grants.
  const isHigher = asked !== undefined && isRole(asked) && isRole(user?.role ?? most) && !includesRole(most, asked)
  const isTooLong = lastsUntil !== null && (endsAt === null || endsAt > lastsUntil)
  const faults: Fault[] = []
  if (isHigher) faults.push({ code: 'role-too-high', with: { max: most }, at: { pointer: '/role' } })
  if (endsAt !== null && endsAt <= now) faults.push({ code: 'in-the-past', at: { pointer: '/endsAt' } })
  if (isTooLong) faults.push({ code: 'too-late', with: { max: lastsUntil, wants: 'key' }, at: { pointer: '/endsAt' } })
  return faults
}

const withdraw = defineAudited({
  on: key,
  name: 'withdraw',
  noun: 'withdrawals',
  removes: true,
  title: 'Withdraw a key',
  ...proving,
  denied: ({ user }, _params, caller) => byProgram(user === null ? null : { name: user }, caller),
  apply: () => ({}),
  audit: { 'key-withdrawn': { title: 'Key withdrawn', of: ({ user, name }) => ({ user, key: name }) } },
})

export const keyOperations = [create, withdraw] as const

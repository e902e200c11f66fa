import { checkGuard, type Guard, type GuardRefusal, type State } from '../../values/guard.ts'
import { notBefore } from '../../values/kinds/time.ts'
import type { ManagedRefusal } from '../managed/refusal.ts'
import type { AuditEvent } from './audit.ts'
import type { User } from './user.ts'

/** A requested change of a user. */
export type UserChange = { readonly name: string; readonly guard: Guard; readonly dryRun: boolean } & (
  | { readonly kind: 'change'; readonly to: UserPatch }
  | { readonly kind: 'remove' }
)

/** The fields that are to change. */
export type UserPatch = Partial<Omit<User, 'name' | 'createdAt' | 'updatedAt' | 'revision' | 'lastSeenAt'>>

export type UserRefusal = Extract<ManagedRefusal, { readonly code: 'missing' | 'last-admin' }> | GuardRefusal

/** What is written down of a change. */
export interface AuditNote {
  readonly event: AuditEvent
  readonly detail: string | null
}

export type UserVerdict =
  | { readonly refused: UserRefusal }
  | { readonly remove: User; readonly notes: readonly AuditNote[] }
  | {
      readonly save: User
      readonly notes: readonly AuditNote[]
      /** Whether whoever is signed in as the user must go. */
      readonly endsSessions: boolean
    }

interface EnabledAdmin {
  readonly name: string
  /** Whether they have a password, or an identity at a provider. */
  readonly signsIn: boolean
}

/** The user and the state of affairs, read under a lock. */
export interface UserFacts {
  readonly user: (User & Pick<State, 'previousAt'>) | undefined
  /** All enabled admins. */
  readonly admins: readonly EnabledAdmin[]
  readonly now: string
}

/** Pure. Target → guard → last admin → difference. */
export function decideUserChange(change: UserChange, { user, admins, now }: UserFacts): UserVerdict {
  if (user === undefined) return { refused: { code: 'missing', on: 'user', id: change.name } }
  const stale = checkGuard(change.guard, user)
  if (stale !== undefined) return { refused: stale }
  const isLastAdmin = isLast(user, admins)
  if (change.kind === 'remove') {
    if (isLastAdmin) return { refused: { code: 'last-admin', user: user.name } }
    return { remove: user, notes: [{ event: 'user-removed', detail: null }] }
  }
  const after = { ...user, ...change.to }
  if (isLastAdmin && (after.role !== 'admin' || after.disabled)) {
    return { refused: { code: 'last-admin', user: user.name } }
  }
  const changed = (Object.keys(change.to) as (keyof UserPatch)[]).filter((name) => after[name] !== user[name])
  const endsSessions = after.disabled && !user.disabled
  if (changed.length === 0) return { save: user, notes: [], endsSessions }
  return {
    save: { ...after, updatedAt: notBefore(user.updatedAt, now), revision: user.revision + 1 },
    notes: notesOf(changed, user, after),
    endsSessions,
  }
}

/** Of those who can sign in. As long as nobody can, of all: an invitation may be under way. */
function isLast({ name }: User, admins: readonly EnabledAdmin[]): boolean {
  const able = admins.filter(({ signsIn }) => signsIn)
  const [only, ...others] = able.length > 0 ? able : admins
  return only?.name === name && others.length === 0
}

function notesOf(changed: readonly (keyof UserPatch)[], before: User, after: User): readonly AuditNote[] {
  const others = changed.filter((name) => name !== 'role' && name !== 'disabled')
  return [
    ...(changed.includes('role')
      ? [{ event: 'role-changed', detail: `from ${before.role} to ${after.role}` } as const]
      : []),
    ...(changed.includes('disabled')
      ? [{ event: after.disabled ? 'user-disabled' : 'user-enabled', detail: null } as const]
      : []),
    ...(others.length > 0 ? [{ event: 'user-changed', detail: others.join(', ') } as const] : []),
  ]
}

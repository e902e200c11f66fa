import type { Fault } from '../../values/faults/fault.ts'
import type { GuardRefusal } from '../../values/guard.ts'
import type { Role } from '../../values/role.ts'

/** Every reason to refuse a managed change. */
export type ManagedRefusal =
  | { readonly code: 'missing'; readonly on: string; readonly id: string }
  | GuardRefusal
  | { readonly code: 'invalid'; readonly faults: readonly Fault[] }
  /** A program asks for something that only a person may change, or one person for another's. decisions/0054 */
  | { readonly code: 'denied'; readonly why: 'program' | 'token' | 'calendar' }
  | { readonly code: 'needs-role'; readonly needed: Role; readonly actor: string | null; readonly role: Role | null }
  | { readonly code: 'webhook-ended'; readonly because: string | null }
  | { readonly code: 'last-admin'; readonly user: string }
  | { readonly code: 'name-taken'; readonly name: string; readonly of?: string }
  | { readonly code: 'too-many-keys'; readonly user: string; readonly most: number }
  | { readonly code: 'no-calendar'; readonly user: string }
  | { readonly code: 'import-under-way' }
  /** The verified password was changed meanwhile. */
  | { readonly code: 'password-changed' }

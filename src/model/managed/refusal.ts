import type { Fault } from '../../values/faults/fault.ts'
import type { GuardRefusal } from '../../values/guard.ts'
import type { Role } from '../../values/role.ts'
import type { Key } from '../resource.ts'

/** A thing, and its name if it still exists. */
export interface ThingSince {
  readonly on: string
  readonly id: Key
  readonly name: string | null
}

/** Every reason to refuse a managed change. */
export type ManagedRefusal =
  | { readonly code: 'missing'; readonly on: string; readonly id: string }
  | GuardRefusal
  | { readonly code: 'invalid'; readonly faults: readonly Fault[] }
  /** A program asks for something that only a person may change, or one person for another's. decisions/0054 */
  | { readonly code: 'denied'; readonly why: 'program' | 'token' | 'calendar' }
  /** Asked in an open service, which has users or keys by now. */
  | { readonly code: 'no-longer-open' }
  | { readonly code: 'needs-role'; readonly needed: Role; readonly actor: string | null; readonly role: Role | null }
  | { readonly code: 'webhook-ended'; readonly because: string | null }
  | { readonly code: 'last-admin'; readonly user: string }
  | { readonly code: 'name-taken'; readonly name: string; readonly of?: string }
  | { readonly code: 'too-many-keys'; readonly user: string; readonly most: number }
  | { readonly code: 'no-calendar'; readonly user: string }
  | { readonly code: 'import-under-way' }
  /** A file is imported once it was checked and its questions are answered. */
  | { readonly code: 'not-ready'; readonly stage: string }
  /** Nothing was imported yet, or it was undone before. */
  | { readonly code: 'nothing-to-undo' }
  /** Things of an import that were changed since, and those that refer to them since; the first of them. */
  | { readonly code: 'changed-since'; readonly things: readonly ThingSince[] }
  /** The events with the states before an import were trimmed. */
  | { readonly code: 'before-trimmed' }
  /** The verified password was changed meanwhile. */
  | { readonly code: 'password-changed' }

import type { Fault, Reason } from '../../values/faults/fault.ts'
import type { GuardRefusal } from '../../values/guard.ts'
import type { Json } from '../../values/json/json.ts'
import type { Role } from '../../values/role.ts'
import type { Key } from './resource.ts'

/** Every reason to refuse a change. */
export type Refusal =
  /** `by` is the unique field, if its value named the thing and not the id. */
  | { readonly code: 'not-found'; readonly resource: string; readonly id: string; readonly by?: string }
  | { readonly code: 'deleted'; readonly resource: string; readonly id: Key; readonly deletedAt: string }
  | { readonly code: 'not-owner'; readonly resource: string; readonly id: Key }
  | { readonly code: 'needs-role'; readonly needed: Role; readonly actor: string; readonly role: Role }
  /** The roles of the caller never allow it. */
  | {
      readonly code: 'not-granted'
      readonly resource: string
      readonly actor: string
      readonly roles: readonly string[]
    }
  | NotAllowed
  /** A program asks for something that only a person may change, or one person for another's. decisions/0054 */
  | { readonly code: 'denied'; readonly why: 'program' | 'token' | 'calendar' }
  /** Asked in an open service, which has users or keys by now. */
  | { readonly code: 'no-longer-open' }
  | GuardRefusal
  | { readonly code: 'invalid'; readonly faults: readonly Fault[] }
  | NotUnique
  /** `of` is the user among whose keys it is taken. */
  | { readonly code: 'name-taken'; readonly resource: string; readonly name: string; readonly of?: string }
  | { readonly code: 'too-many-fields'; readonly on: string; readonly most: number }
  /** The index of a unique field is not complete yet, so that its values name nothing. */
  | { readonly code: 'building'; readonly resource: string; readonly field: string }
  | ClosingStage
  | { readonly code: 'unknown-action'; readonly fault: Fault }
  | StateRefusal
  | { readonly code: 'command-id-reused'; readonly command: string }
  | { readonly code: 'idempotency-key-reused'; readonly command: string }
  | AccountRefusal
  | ImportRefusal
  | { readonly code: 'webhook-ended'; readonly because: string | null }

/** The caller sees the thing and may not do this with it; `allowed` are the operations that they may do. */
export interface NotAllowed {
  readonly code: 'not-allowed'
  readonly resource: string
  readonly id: Key
  readonly operation: string
  readonly allowed: readonly string[]
}

/** Why users, keys and calendars stay as they are. */
type AccountRefusal =
  /** One of the roles that there are from the beginning. */
  | { readonly code: 'built-in'; readonly role: Role }
  | { readonly code: 'last-admin'; readonly user: string }
  | { readonly code: 'too-many-keys'; readonly user: string; readonly most: number }
  | { readonly code: 'no-calendar'; readonly user: string }
  /** The verified password was changed meanwhile. */
  | { readonly code: 'password-changed' }

/** Why an import is not run, changed or undone. */
export type ImportRefusal =
  | { readonly code: 'import-under-way' }
  /** A file is imported once it was checked and its questions are answered. */
  | { readonly code: 'not-ready'; readonly stage: string }
  /** Nothing was imported yet, or it was undone before. */
  | { readonly code: 'nothing-to-undo' }
  /** Things of an import that were changed since, and those that refer to them since; the first of them. */
  | { readonly code: 'changed-since'; readonly things: readonly ThingSince[] }
  /** The events with the states before an import were trimmed. */
  | { readonly code: 'before-trimmed' }

/** A thing, and its name if it still exists. */
export interface ThingSince {
  readonly on: string
  readonly id: Key
  readonly name: string | null
}

/** A refusal because of the thing's state. Under a command id it is stored and repeated. */
export type StateRefusal = WrongState | InUse | StageRequires

export interface WrongState {
  readonly code: 'wrong-state'
  readonly resource: string
  readonly operation: string
  readonly reason: Reason
  /** The thing's id, markings and revision, as documents show them. */
  readonly thing: { readonly [field: string]: Json }
  readonly allowed: readonly string[]
}

export interface InUse {
  readonly code: 'in-use'
  readonly resource: string
  readonly id: Key
  /** The stored conditions that name it. */
  readonly usedBy?: readonly UsedBy[]
  /** The first things that refer to it; a command of an earlier release does not have them. */
  readonly heldBy?: readonly UsedBy[]
  /** The number of things that are in it, or in a part of it, such as a stage or a choice. */
  readonly count?: number
  readonly part?: string
  /** Whether it stays wherever these move: it is the default, or others move to it. */
  readonly needed?: boolean
}

/** Something that names a part of the model, or another thing. */
export type UsedBy = {
  readonly on: string
  readonly id: Key
  readonly name: string
}

/** The refusal to remove what others name. */
export const inUse = (resource: string, id: Key, usedBy: readonly UsedBy[]): InUse | undefined =>
  usedBy.length === 0 ? undefined : { code: 'in-use', resource, id, usedBy }

/** Another thing has the value of a unique field. */
export interface NotUnique {
  readonly code: 'not-unique'
  readonly resource: string
  readonly field: string
  /** As documents show it. */
  readonly value: Json
  /** The id of the other thing; absent if the caller may not see it. */
  readonly other?: Key
}

export const isStateRefusal = (refusal: Refusal): refusal is StateRefusal =>
  refusal.code === 'wrong-state' || refusal.code === 'in-use' || refusal.code === 'stage-requires'

/** Why a thing may not enter a stage. */
export type EntryRefusal = StageRequires | ClosingStage

/** The fields that a thing needs to enter a stage are empty. */
export interface StageRequires extends EnteredStage {
  readonly code: 'stage-requires'
  /** Named as in filters. */
  readonly fields: readonly string[]
}

/** The stage, or its pipeline, is being removed. */
export interface ClosingStage extends EnteredStage {
  readonly code: 'closing'
}

interface EnteredStage {
  readonly resource: string
  readonly id: string | number
  readonly pipeline: string
  readonly stage: string
}

import type { Fault } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import type { Caller } from '../../values/role.ts'
import type { DomainEvent, DoneBy } from '../declaration/event.ts'
import type { ConditionFaults, Exists, Params, PartCounts, QueryFaults } from '../declaration/operation.ts'
import type { Refusal, StateRefusal, UsedBy } from '../declaration/refusal.ts'
import type { Key, Thing } from '../declaration/resource.ts'
import type { Resource } from '../declaration/schema.ts'
import type { Person, PersonReading } from '../nouns/user/person.ts'
import type { AskedAttributes, AskedOperation } from '../source/asked.ts'
import type { Meets } from './caller.ts'

/** A requested change, whatever its form. Plain data, because it crosses threads. */
export interface Intent extends DoneBy {
  /** The name of the resource it is about. */
  readonly resource: string
  /** The thing's id as sent, or its unique value, such as `{ "reference": "A-0004" }`; absent if none was. */
  readonly target?: unknown
  /** Fields by which the thing was found, as JSON texts: with other values it is not the intended thing. */
  readonly seen?: { readonly [field: string]: string | undefined }
  readonly change: AskedOperation | AskedAttributes
  /** JSON pointers to its parts in the body. */
  readonly pointers: { readonly target: string; readonly action: string; readonly params: string }
  /** The faults of the body outside the parameters. */
  readonly faults: readonly Fault[]
  /** Further faults, which count only if the command is new. */
  readonly faultsIfNew?: readonly Fault[]
  /** Under a command id or an idempotency key it is decided once. */
  readonly command?: {
    readonly id: string
    readonly by: 'id' | 'key'
    /** A digest of the content as it was sent, which no later model reads otherwise; the service's own have none. */
    readonly sentAs?: string
    /** If-None-Match at the command's own address: the states that the command itself must not have. */
    readonly noneOf?: Guard['noneOf']
  }
  /** The preconditions on the thing. */
  readonly guard: Guard
  /** Whose things it may be about; absent if everything is allowed. */
  readonly caller?: Caller
  /** Things that it names and the caller does not see, by resource and id: to them they do not exist. */
  readonly unseen?: readonly string[]
  /** The keys of its owners, which the address of a part has, by the names of its fields. */
  readonly within?: { readonly [field: string]: string }
  /** The address of the caller, for the audit. */
  readonly address?: string | null
  /** The result of the preparation outside the transaction, for an operation that asks for it. */
  readonly prepared?: unknown
  /** How its texts for persons are read, if not as the names of users only. */
  readonly persons?: PersonReading
  /** Whether it is done whatever the rules, gates and stored conditions say, also to a deleted thing: only by the service. */
  readonly unconditional?: true
  readonly form: string
  readonly dryRun: boolean
}

/** The store's data for a decision, valid until it commits. */
export interface DecisionFacts {
  /** The resource of the intent. */
  readonly resource: Resource
  readonly thing: Thing | undefined
  /** When the previous revision was made; looked up if a date is among the preconditions. */
  readonly previousAt?: string | null | undefined
  readonly command: Command | undefined
  /** Whether one of the things that `thingsNamed` lists exists. */
  readonly exists: Exists
  /** The id of the thing whose unique field has a value; looked up for those that `uniqueValuesIn` lists. */
  readonly idBy: (field: string, value: unknown) => Key | undefined
  /** The thing that a reference leads to; looked up if `mayEnter`, for `relatedRequired`. */
  readonly related: (resource: string, id: Key) => Thing | undefined
  readonly queryFaults: QueryFaults
  /** The meaning of the conditions of grants; without it none is met. */
  readonly meets?: Meets
  /** The fields that a condition of a grant compares with the caller or their teams. */
  readonly callersFields?: (resource: Resource, where: string) => readonly string[]
  /** The users of these names; all of them if one of the names is nobody's. Looked up for `personTexts`. */
  readonly people: (names: readonly string[]) => readonly Person[]
  /** The first things that refer to it; looked up if the operation removes it. */
  readonly heldBy: readonly UsedBy[]
  /** The number of things in each part of the thing; looked up if `mayRemovePart`. */
  readonly counts?: PartCounts | undefined
  /** The stored conditions that would no longer be understood, if the change is one of the model. */
  readonly breaks?: ((thing: Thing, removed: boolean) => readonly UsedBy[]) | undefined
  /** The facts that the store knows in addition to the thing, for operations that ask for them. */
  readonly known?: unknown
  readonly conditionFaults?: ConditionFaults
  readonly now: string
  /** The id of a new thing. */
  readonly newId: () => Key
  /** The settings' defaults for a new thing. */
  readonly defaults: { readonly [field: string]: string }
}

/** A decided command, as stored. */
export interface Command {
  readonly id: string
  readonly resource: string
  /** The id of the thing. */
  readonly subject: Key
  readonly action: string
  readonly params: Params
  readonly status: 'applied' | 'rejected'
  readonly refusal: StateRefusal | null
  readonly revision: number
  readonly decidedAt: string
  /** The unique value that named the thing, and whether the thing was created with it; null if its id did. */
  readonly named: { readonly by: Params; readonly made: boolean } | null
  /** The only one who may see it, besides admins. */
  readonly privateTo: string | null
  /** The digest of its content as it was sent; null if there was none, or in an earlier release. */
  readonly sentAs: string | null
}

export type Verdict =
  | AppliedVerdict
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly command?: Command }
  | { readonly kind: 'replay'; readonly command: Command }
  /** Nothing is wrong so far: the intent is asked again with what is prepared outside the transaction. */
  | { readonly kind: 'prepare'; readonly thing: Thing; readonly known: unknown; readonly params: object }

export interface AppliedVerdict {
  readonly kind: 'apply'
  readonly thing: Thing
  /** Whether the thing must be removed. */
  readonly removed: boolean
  /** Whether an upsert created it. */
  readonly made: boolean
  readonly events: readonly DomainEvent[]
  /** The changes of other things that follow: decided next, in the same transaction. */
  readonly entails: readonly Intent[]
  readonly command?: Command
}

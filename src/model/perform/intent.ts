import type { Guard } from '../../values/guard.ts'
import type { Fault } from '../../values/members.ts'
import type { DomainEvent } from '../event.ts'
import type { Params } from '../operation.ts'
import type { Refusal, StateRefusal } from '../refusal.ts'
import type { Key, Thing } from '../resource.ts'

/** What a client asks to be done, whichever form it was asked in. Plain data: it crosses threads. */
export interface Intent {
  /** The name of the resource it is about. */
  readonly resource: string
  /** The thing's id as it was sent; nothing when none was. */
  readonly target?: unknown
  readonly change: AskedOperation | AskedAttributes
  /** Where the parts stood in the body that was sent. */
  readonly pointers: { readonly target: string; readonly action: string; readonly params: string }
  /** What is wrong with the body around the parameters. */
  readonly faults: readonly Fault[]
  /** What is wrong besides with the body of a command that is not known yet. */
  readonly faultsIfNew?: readonly Fault[]
  /** A command is decided once: under an id of its own, or under an idempotency key. */
  readonly command?: {
    readonly id: string
    readonly by: 'id' | 'key'
    /** If-None-Match at the command's own address: the states that the command itself must not have. */
    readonly noneOf?: Guard['noneOf']
  }
  /** Speaks of the thing. */
  readonly guard: Guard
  readonly actor: string | null
  readonly form: string
  readonly dryRun: boolean
}

export interface AskedOperation {
  readonly action: unknown
  readonly params: unknown
}

export interface AskedAttributes {
  readonly attributes: unknown
  /** A field that was not sent begins anew, instead of staying as it is. */
  readonly whole?: boolean
}

/** What the store knows when it decides, true until it has written. */
export interface Facts {
  readonly thing: Thing | undefined
  /** When the thing came into the state before; looked up where a date guards the change. */
  readonly previousAt?: string | null | undefined
  readonly command: Command | undefined
  /** Which of the things that `thingsNamed` lists exist. */
  readonly exists: (resource: string, id: Key) => boolean
  /** Whether another thing refers to it; looked up where the operation removes it. */
  readonly inUse: boolean
  readonly now: string
  /** The id of a thing that is to be made. */
  readonly newId: () => Key
  /** What settings give to a new thing that names nothing else. */
  readonly defaults: { readonly [field: string]: string }
}

/** A decided command, as it is kept. */
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
}

export type Verdict =
  | {
      readonly kind: 'apply'
      readonly thing: Thing
      /** Whether the thing is to be removed. */
      readonly removed: boolean
      readonly events: readonly DomainEvent[]
      readonly command?: Command
    }
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly command?: Command }
  | { readonly kind: 'replay'; readonly command: Command }

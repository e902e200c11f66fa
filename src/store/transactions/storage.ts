import type { Refusal } from '../../model/declaration/refusal.ts'
import type { Intent } from '../../model/intent/intent.ts'
import type { Person } from '../../model/nouns/user/person.ts'
import type { Work } from './work.ts'

/** The thing of an intent, and the other facts that a decision about it needs, locked until the commit. */
export interface Found {
  readonly thing?: object | undefined
  readonly known?: unknown
  /** Those whom its fields for persons may name. */
  readonly people?: readonly Person[]
}

/** Why there is nothing to decide about, or nothing was stored. */
export interface Refused {
  readonly refused: Refusal
}

export const missing = (resource: string, id: string): Refused => ({ refused: { code: 'not-found', resource, id } })

/** A decided change. */
export interface StoredChange {
  readonly before: object
  readonly after: object
  readonly params: object
  readonly known: unknown
  readonly prepared: unknown
  readonly intent: Intent
}

/** The result of an effect, if it is more than that the thing was stored. */
export type EffectResult =
  /** Only the write itself could find out. */
  | Refused
  /** The earlier result of the same form: nothing is stored or recorded a second time. */
  | { readonly earlier: object }
  /** The thing was stored otherwise. */
  | { readonly thing: object }
  /** Facts that are known only now. */
  | { readonly known: unknown }
  | undefined

/** The statements of a change in addition to the row of its thing, which `row` writes. */
export type Effect = (change: never, row: () => Work<void>) => Work<EffectResult>

/** How things of a resource that the audit tells of are found and written, beyond what its declaration says. */
export interface Storage {
  find(intent: Intent): Work<Found | Refused>
  /** By operation; by default the row alone is written. */
  readonly effects?: { readonly [operation: string]: Effect }
}

import type { ProblemCode } from '../http/contract/problems/problem-types.ts'
import type { Customer as StoredCustomer } from '../model/nouns/customer/customer.ts'
import type { customerOperations } from '../model/nouns/customer/operations.ts'
import type { Deal as StoredDeal } from '../model/nouns/deal/deal.ts'
import type { OperationName } from '../model/nouns/deal/operations.ts'
import type { OwnField } from '../model/nouns/field/field.ts'
import type { ImportCounts } from '../model/nouns/imports/import-counts.ts'
import type { Pipeline } from '../model/nouns/pipeline/pipeline.ts'
import type { Rate as StoredRate } from '../model/nouns/rate/rate.ts'
import type { SalesTarget as StoredTarget } from '../model/nouns/target/target.ts'
import type { taskOperations } from '../model/nouns/task/operations.ts'
import type { Task as StoredTask } from '../model/nouns/task/task.ts'
import type { SavedView as StoredView } from '../model/nouns/view/view.ts'
import type { Match } from '../queries/dialects/search.ts'
import type { FaultCode } from '../values/faults/fault-codes.ts'
import type { Declared, Item, Noun } from './declared.ts'

// The documents of the service, derived from its declarations. Types only: nothing here exists at run time.

// Written by `npm run generate`.
export type FormName =
  | 'resource'
  | 'verb'
  | 'participle'
  | 'custom-method'
  | 'single-update'
  | 'attribute-update'
  | 'noun'
  | 'deal-command'
  | 'command'
  | 'command-endpoint'
// End of what is written.

export type DealItem = StoredDeal
export type Deal = StoredDeal & {
  readonly links: {
    readonly self: string
    readonly collection: string
    readonly history: string
    readonly actions: string
    readonly customer?: string
    /** The operations that are allowed now. */
    readonly operations: { readonly [N in OperationName]?: string }
  }
}

export type CustomerItem = StoredCustomer
export type Customer = StoredCustomer & {
  readonly links: {
    readonly self: string
    readonly collection: string
    readonly history: string
    readonly deals: string
  }
}
type Assigned = 'id' | 'createdAt' | 'updatedAt' | 'revision'
export type NewCustomer = Pick<StoredCustomer, 'name'> & Partial<Omit<StoredCustomer, Assigned>>

export type CustomerOperationName = (typeof customerOperations)[number]['name']

/** A thing of any other resource, with its links. */
type Linked<T> = T & { readonly links: { readonly self: string; readonly [relation: string]: unknown } }
/** The content of a creation: members with a default are optional. */
type NewOf<T, Required extends keyof T, Set extends keyof T = never> = Pick<T, Required> &
  Partial<Omit<T, Assigned | Set>>

export type Task = Linked<StoredTask>
export type NewTask = NewOf<StoredTask, 'title', 'status'>
export type TaskOperationName = (typeof taskOperations)[number]['name']
export type Rate = Linked<StoredRate>
export type NewRate = NewOf<StoredRate, 'currency' | 'perUnit' | 'since'>
export type SalesTarget = Linked<StoredTarget>
export type NewSalesTarget = NewOf<StoredTarget, 'user' | 'from' | 'to' | 'amount'>
export type Field = Linked<OwnField>
export type NewField = NewOf<
  OwnField,
  'on' | 'name' | 'title' | 'kind',
  'retiredAt' | 'state' | 'repeats' | 'replaceBy'
>
export type SalesPipeline = Linked<Pipeline>
export type NewPipeline = NewOf<Pipeline, 'name' | 'title' | 'stages', 'closing' | 'moveTo' | 'successor'>
export type SavedView = Linked<StoredView>
export type NewView = NewOf<StoredView, 'name' | 'collection', 'owner'>
export type PlainOperationName = 'create' | 'change' | 'delete'

/** An entry of a history: of a deal's, or of a customer's. */
export interface Entry<N extends string = OperationName> {
  readonly operation: N
  readonly params: { readonly [name: string]: unknown }
  readonly revision: number
  readonly actor: string | null
  /** The name of the actor's key, if one was used. */
  readonly key?: string
  /** The form, or the name of a door, a batch or an import. */
  readonly form: FormName | (string & Record<never, never>)
  readonly commandId?: string
  readonly action: string
  readonly type: string
  readonly at: string
}

/** The thing is under the name of its resource. */
export type Command = { readonly [N in Noun]?: Item<N>['id'] } & {
  readonly id: string
  readonly action: string
  readonly params: { readonly [name: string]: unknown }
  readonly status: 'applied' | 'rejected'
  readonly problem?: ProblemDocument
  readonly revision: number
  readonly decidedAt: string
}

/** CloudEvents 1.0. */
interface CloudEvent<T extends string, D> {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: T
  /** The id of the thing; an import has its own id. */
  readonly subject: string
  readonly time: string
  readonly sequence: string
  readonly data: D
}
type EventEntry<N extends string> = Omit<Entry<N>, 'action' | 'type' | 'at'>

/** An operation, and the thing as it left it; only the id of a removed one. */
type EventOf<N extends Noun, O, Name extends string> = O extends { readonly event: infer T extends string }
  ? CloudEvent<
      T,
      EventEntry<Name> & { readonly [K in N]: O extends { readonly removes: true } ? Pick<Item<N>, 'id'> : Item<N> }
    >
  : never
type EventsOn<N extends Noun, Done = Declared[N]['operations']> = {
  [Name in keyof Done & string]: EventOf<N, Done[Name], Name>
}[keyof Done & string]

type ImportEvent = CloudEvent<'customers.imported', EventEntry<'import'> & { readonly counts: ImportCounts }>
export type DealEvent = EventsOn<'deal'>
export type CustomerEvent = EventsOn<'customer'> | ImportEvent
/** Every event of the feed: `type` determines the other members. */
export type Event = { [N in Noun]: EventsOn<N> }[Noun] | ImportEvent

export interface Action {
  readonly operation: OperationName
  readonly title: string
  readonly action: string
  readonly allowed: boolean
  readonly reason?: string
  readonly params: object
  readonly href: string
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly page?: number
  readonly pageSize: number
  readonly hasMore: boolean
  readonly total?: number
  /** The cursor of the next page, for a query that is too long for an address. */
  readonly after?: string
  readonly before?: string
  readonly links: { readonly self?: string; readonly first?: string; readonly prev?: string; readonly next?: string }
}

/** The result of a search over everything. */
export interface Found {
  readonly type: string
  readonly id: string | number
  readonly name: string
  readonly match: Match
  readonly updatedAt: string
  readonly href: string
}

/** RFC 9457. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  readonly instance?: string
  readonly errors?: readonly {
    readonly pointer?: string
    readonly parameter?: string
    readonly header?: string
    readonly code?: FaultCode
    /** The facts of the fault. */
    readonly with?: { readonly [fact: string]: unknown }
    readonly detail: string
  }[]
  readonly [member: string]: unknown
}

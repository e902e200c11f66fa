import type { ProblemCode } from '../http/respond/problems/problem-types.ts'
import type { Customer as StoredCustomer } from '../model/customer/customer.ts'
import type { ImportCounts } from '../model/customer/imported.ts'
import type { customerOperations } from '../model/customer/operations.ts'
import type { Deal as StoredDeal } from '../model/deal/deal.ts'
import type { OperationName, SentParamsOf } from '../model/deal/operations.ts'
import type { DeclaredQuery } from '../queries/named-queries.ts'

// What the client is to a program, derived from the declarations of the service. Nothing here is there at run time.

// Written by `npm run generate`.
export type FormName =
  | 'resource'
  | 'verb'
  | 'participle'
  | 'single-update'
  | 'attribute-update'
  | 'noun'
  | 'deal-command'
  | 'command'
  | 'command-endpoint'
// End of what is written.

/** The ways in which an operation can be asked for. */
export type Form = Exclude<FormName, 'resource'>

export interface Options {
  /** A user's name and password, or an API key. */
  readonly auth?: { readonly user: string; readonly password: string } | { readonly key: string }
  /** How operations are asked for, unless a call says otherwise; `verb`. */
  readonly form?: Form
  /** How often a request that failed in passing is sent again; 4. */
  readonly retries?: number
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Built on this: the deal or customer as it was read, or its ETag. 412 when it has changed since. */
  readonly ifMatch?: object | string
  /** Only try: what would result, and nothing is stored. A deal or customer that would be made has no id. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface WriteOptions extends CallOptions {
  /** Under which the operation is decided once, also over restarts of this program; made up otherwise. */
  readonly commandId?: string
}

export interface OperationOptions extends WriteOptions {
  readonly form?: Form
}

export type DealItem = StoredDeal
export type Deal = StoredDeal & {
  readonly links: {
    readonly self: string
    readonly collection: string
    readonly history: string
    readonly actions: string
    readonly customer?: string
    /** Those that are allowed now. */
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

/** An entry of a history: of a deal's, or of a customer's. */
export interface Entry<N extends string = OperationName> {
  readonly operation: N
  readonly params: { readonly [name: string]: unknown }
  readonly revision: number
  readonly actor: string | null
  readonly form: FormName
  readonly commandId?: string
  readonly action: string
  readonly type: string
  readonly at: string
}

export interface Command {
  readonly id: string
  /** What it is about: one of the two. */
  readonly deal?: string
  readonly customer?: number
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
  /** The id of the deal or customer; of an import an id of its own. */
  readonly subject: string
  readonly time: string
  readonly sequence: string
  readonly data: D
}
type EventEntry<N extends string> = Omit<Entry<N>, 'action' | 'type' | 'at'>

export type DealEvent = CloudEvent<`deal.${string}`, EventEntry<OperationName> & { readonly deal: DealItem }>
export type CustomerEvent =
  | CloudEvent<
      'customer.created' | 'customer.changed',
      EventEntry<CustomerOperationName> & { readonly customer: CustomerItem }
    >
  | CloudEvent<'customer.deleted', EventEntry<CustomerOperationName> & { readonly customer: Pick<CustomerItem, 'id'> }>
  | CloudEvent<'customers.imported', EventEntry<'import'> & { readonly customer: ImportCounts }>
export type Event = DealEvent | CustomerEvent

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
  readonly links: { readonly self: string; readonly first: string; readonly prev?: string; readonly next?: string }
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
    readonly detail: string
  }[]
  readonly [member: string]: unknown
}

type FilterValue = string | number | boolean
type FilterValues = FilterValue | readonly FilterValue[]
type Name<T> = keyof T & string

/** Filters by name: `{ status: 'open', 'price.gte': 1000 }`. Several values mean any of them; a text for `.in` is a list with commas. */
export type Query<T> = {
  readonly [F in
    | Name<T>
    | `${Name<T>}.${'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'contains' | 'starts' | 'ends' | 'regex' | 'null'}`]?: FilterValues
} & { readonly [F in `${'min' | 'max'}-${Name<T>}` | 'gt' | 'lt' | 'min' | 'max']?: FilterValues } & {
  /** `age,-name` */
  readonly sort?: string
  readonly fields?: string
  readonly page?: number
  readonly maxpagesize?: number
  readonly count?: 'exact'
  readonly after?: string
  readonly before?: string
}
export type DealQuery = Query<DealItem> & { readonly deleted?: boolean }

/** A list: `for await` goes through all of it, page by page; `page()` reads one. */
export interface List<T> extends AsyncIterable<T> {
  page(): Promise<Page<T>>
}

type Camel<N extends string> = N extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : N
type OperationArguments<P> =
  Record<never, never> extends P ? [params?: P, options?: OperationOptions] : [params: P, options?: OperationOptions]

export type DealOperations = {
  readonly [N in Exclude<OperationName, 'create'> as Camel<N>]: (
    id: string,
    ...given: OperationArguments<SentParamsOf<N>>
  ) => Promise<N extends 'delete' ? void : Deal>
}

/** Everything that a deal can be asked: the operations, by their names, and reading. */
export interface Deals extends DealOperations {
  create(params: SentParamsOf<'create'>, options?: OperationOptions): Promise<Deal>
  get(id: string, options?: CallOptions): Promise<Deal>
  list(query?: DealQuery, options?: CallOptions): List<DealItem>
  /** The attributes as they should be: each difference becomes its operation, all or nothing. */
  update(id: string, attributes: Partial<StoredDeal>, options?: OperationOptions): Promise<Deal>
  history(id: string, query?: Query<Entry>, options?: CallOptions): List<Entry>
  actions(id: string, options?: CallOptions): Promise<readonly Action[]>
}

export interface Customers {
  get(id: number, options?: CallOptions): Promise<Customer>
  list(query?: Query<CustomerItem>, options?: CallOptions): List<CustomerItem>
  create(customer: NewCustomer, options?: WriteOptions): Promise<Customer>
  replace(id: number, customer: NewCustomer, options?: WriteOptions): Promise<Customer>
  patch(id: number, changes: Partial<NewCustomer>, options?: WriteOptions): Promise<Customer>
  delete(id: number, options?: WriteOptions): Promise<void>
  history(
    id: number,
    query?: Query<Entry<CustomerOperationName>>,
    options?: CallOptions,
  ): List<Entry<CustomerOperationName>>
}

export interface Commands {
  get(id: string, options?: CallOptions): Promise<Command>
  list(query?: Query<Command>, options?: CallOptions): List<Command>
}

interface Items {
  readonly customers: CustomerItem
  readonly deals: DealItem
  readonly history: Entry
  readonly commands: Command
  readonly events: Event
}

/** Items of which the client has no type of their own are plain members. */
type ItemsOf<C extends string> = C extends keyof Items ? Items[C] : { readonly [name: string]: unknown }

/** The results that can be asked by name, and what each is a list of. */
export type NamedQueries = {
  readonly [Q in DeclaredQuery as Q['name']]: ItemsOf<Q['collection']['name']>
}

export interface EventOptions {
  /** Begins behind this event's `sequence`; with the next one to come otherwise. */
  readonly after?: string
  readonly type?: FilterValues
  readonly deal?: FilterValues
  readonly customer?: FilterValues
  readonly signal?: AbortSignal
}

export interface Client {
  readonly deals: Deals
  readonly customers: Customers
  readonly commands: Commands
  /** All items of a named query; none when nothing matches. */
  query<N extends keyof NamedQueries>(
    name: N,
    parameter: FilterValue,
    options?: CallOptions,
  ): AsyncIterable<NamedQueries[N]>
  /** What happens, from now on, for as long as it is read; a broken connection is taken up again where it was. */
  events(options?: EventOptions): AsyncIterable<Event>
  /** What has happened, as a list. */
  pastEvents(query?: Query<Event>, options?: CallOptions): List<Event>
}

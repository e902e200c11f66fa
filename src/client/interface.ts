import type { Deal as StoredDeal } from '../model/deal/deal.ts'
import type { OperationName, SentParamsOf } from '../model/deal/operations.ts'
import type { DeclaredQuery } from '../queries/named-queries.ts'
import type {
  Expanded,
  FilterValues,
  GroupName,
  Listed,
  MeasuredName,
  Names,
  Query,
  RelationName,
  ResourceName,
  ThingIn,
  ThingQuery,
} from './asking.ts'
import type { BatchCommand, BatchOptions, BatchResult } from './batch.ts'
import type {
  Action,
  Command,
  Customer,
  CustomerOperationName,
  Deal,
  Entry,
  Event,
  FormName,
  Found,
  NewCustomer,
  NewRate,
  NewTask,
  NewView,
  Page,
  PlainOperationName,
  Rate,
  SavedView,
  Task,
  TaskOperationName,
} from './documents.ts'

// What the client is to a program, derived from the declarations of the service. Nothing here is there at run time.

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

export interface ReadOptions<E = string> extends Pick<CallOptions, 'signal'> {
  readonly fields?: Names<string>
  /** The related things to show in it. */
  readonly expand?: Names<E>
}

/** Asks for a thing as a revision left it, or as it was at an instant. */
export type PastOptions = Pick<ReadOptions, 'fields' | 'signal'> &
  ({ readonly revision: number } | { readonly asOf: string })

/** As it was: nothing can be done with it. */
export type Past<T extends { readonly links: object }> = Omit<T, 'links'> & {
  readonly links: Omit<T['links'], 'operations'> & { readonly latest: string }
}

export interface WriteOptions extends CallOptions {
  /** Under which the operation is decided once, also over restarts of this program; made up otherwise. */
  readonly commandId?: string
}

export interface OperationOptions extends WriteOptions {
  readonly form?: Form
}

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

/** Reading of deals or customers. Who groups gets groups, who expands gets the related things. */
interface Reading<C extends ResourceName, T extends { readonly links: object }, Id> {
  get<E extends RelationName<C> = never>(id: Id, options?: ReadOptions<E>): Promise<T & Expanded<C, E>>
  get(id: Id, options: PastOptions): Promise<Past<T>>
  list<E extends RelationName<C> = never, G extends GroupName<C> = never, M extends MeasuredName<C> = never>(
    query?: ThingQuery<C, E, G, M>,
    options?: CallOptions,
  ): List<Listed<C, E, G, M>>
}

/** Everything that a deal can be asked: the operations, by their names, and reading. */
export interface Deals extends DealOperations, Reading<'deals', Deal, string> {
  create(params: SentParamsOf<'create'>, options?: OperationOptions): Promise<Deal>
  /** The attributes as they should be: each difference becomes its operation, all or nothing. */
  update(id: string, attributes: Partial<StoredDeal>, options?: OperationOptions): Promise<Deal>
  history(id: string, query?: Query<Entry>, options?: CallOptions): List<Entry>
  actions(id: string, options?: CallOptions): Promise<readonly Action[]>
}

/** Reading and writing of things that are changed as a whole. */
interface Writing<C extends ResourceName, T extends { readonly links: object }, New, Id, N extends string>
  extends Reading<C, T, Id> {
  create(thing: New, options?: WriteOptions): Promise<T>
  /** What is not given gets its default; of a task it stays as it is. */
  replace(id: Id, thing: New, options?: WriteOptions): Promise<T>
  patch(id: Id, changes: Partial<New>, options?: WriteOptions): Promise<T>
  delete(id: Id, options?: WriteOptions): Promise<void>
  history(id: Id, query?: Query<Entry<N>>, options?: CallOptions): List<Entry<N>>
}

export type Customers = Writing<'customers', Customer, NewCustomer, number, CustomerOperationName>

export interface Tasks extends Writing<'tasks', Task, NewTask, string, TaskOperationName> {
  finish(id: string, options?: WriteOptions): Promise<Task>
  reopen(id: string, options?: WriteOptions): Promise<Task>
}

export type Rates = Writing<'rates', Rate, NewRate, string, PlainOperationName>

export interface Views extends Writing<'views', SavedView, NewView, string, PlainOperationName> {
  /** What the saved query gives, narrowed further by the query. */
  items<T extends object = { readonly [member: string]: unknown }>(
    id: string,
    query?: object,
    options?: CallOptions,
  ): List<T>
}

export interface Commands {
  get(id: string, options?: CallOptions): Promise<Command>
  list(query?: Query<Command>, options?: CallOptions): List<Command>
}

interface Items {
  readonly history: Entry
  readonly commands: Command
  readonly events: Event
}

/** Items of which the client has no type of their own are plain members. */
type ItemsOf<C extends string> = C extends keyof Items ? Items[C] : ThingIn<C>

/** The results that can be asked by name, and what each is a list of. */
export type NamedQueries = {
  readonly [Q in DeclaredQuery as Q['name']]: ItemsOf<Q['collection']>
}

export interface EventOptions {
  /** Begins behind this event's `sequence`, or if it is empty with the first of all; with the next one to come otherwise. */
  readonly after?: string
  readonly type?: FilterValues
  readonly deal?: FilterValues
  readonly customer?: FilterValues
  readonly signal?: AbortSignal
  /** Told each time a connection was lost or could not be made again, before the next try. */
  readonly onLost?: (cause: unknown) => void
}

export interface Client {
  readonly deals: Deals
  readonly customers: Customers
  readonly tasks: Tasks
  readonly rates: Rates
  readonly views: Views
  readonly commands: Commands
  /** Many commands in one request and one commit, at most 1,000. */
  batch(commands: readonly BatchCommand[], options?: BatchOptions): Promise<readonly BatchResult[]>
  /** Things of every kind that have these words, or this id, the best first. */
  search(words: string | number, options?: CallOptions): Promise<readonly Found[]>
  /** All items of a named query; none when nothing matches. */
  query<N extends keyof NamedQueries>(
    name: N,
    parameter: string | number | boolean,
    options?: CallOptions,
  ): AsyncIterable<NamedQueries[N]>
  /** What happens, from now on, for as long as it is read; a broken connection is taken up again where it was. */
  events(options?: EventOptions): AsyncIterable<Event>
  /** What has happened, as a list. */
  pastEvents(query?: Query<Event>, options?: CallOptions): List<Event>
}

import type { Reader } from '../../languages/reader.ts'
import type { Filter } from '../../queries/query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { Markup } from '../../representations/html/markup.ts'
import type { Desk, TextPage } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import type { Role } from '../../values/role.ts'

/** What a view may know of the request that it answers. */
export interface Visit {
  /** The parameters of the path. */
  readonly params: { readonly [name: string]: string }
  /** The path without the base address and without a format's suffix. */
  readonly path: string
  /** The name of the user or key; null where the service is open. */
  readonly actor: string | null
  /** Null where the service is open and everybody may do everything. */
  readonly role: Role | null
  /** The user who calls and their session; null where the service is open. */
  readonly caller: { readonly user: string | null; readonly session: string | null } | null
  /** The fields of the HTML form that was sent. */
  readonly fields: ReadonlyMap<string, string> | undefined
  /** The store as the caller sees it. */
  readonly desk: Desk
  readonly reader: Reader
  readonly representation: string
  readonly service: {
    readonly store: Pick<Store, 'as' | 'accounts' | 'webhooks' | 'imports'>
    readonly addresses: Addresses
    readonly settings: { readonly currency: string }
  }
}

/** Whether a user calls, by themselves or with a key of theirs. */
export const isUser = ({ caller }: Pick<Visit, 'caller'>): boolean => typeof caller?.user === 'string'

/** What a person sees: the main part of a page. */
export type View = () => Markup

/** A slice of a collection, as its view is given it. */
export interface ShownList extends Pick<TextPage, 'items' | 'hasMore' | 'total'> {
  readonly links: PageLinks
  readonly parameters: readonly Parameter[]
  /** What the whole list was filtered by. */
  readonly filter: Filter
  /** The fields to show, in their order, where the address names some. */
  readonly fields?: readonly string[] | undefined
  /** The order of the page where the address names none. */
  readonly order?: string | undefined
}

/** Where a slice of a list and its neighbours are. */
export interface PageLinks {
  /** Absent where the query, the content of a QUERY, is too long for an address. */
  readonly self?: string
  readonly first?: string
  readonly prev?: string
  readonly next?: string
}

/** Every address of the service, each behind the same base. */
export interface Addresses {
  /** Empty, or the BASE_URL. */
  readonly base: string
  readonly home: string
  readonly board: string
  readonly deals: string
  /** One thing of a resource. */
  thing(resource: { readonly path: string }, id: string | number): string
  /** The same as a revision left it. */
  past(resource: { readonly path: string }, id: string | number, revision: number): string
  deal(id: string): string
  ofDeal(id: string, part: string): string
  /** An entry of the history of a thing. */
  entry(resource: { readonly path: string }, id: string | number, noun: string, revision: number): string
  /** The page that asks before an operation that is final. */
  confirmation(resource: { readonly name: string }, id: string | number, operation: string): string
  readonly customers: string
  customer(id: number): string
  /**
   * The page for a new thing, its fields filled in. Who comes from `return`, a path without the base, goes back there
   * afterwards; others are led to what they made.
   */
  creation(resource: { readonly plural: string }, given?: { readonly [field: string]: string | number }): string
  readonly commands: string
  command(id: string): string
  readonly events: string
  readonly reports: string
  report(name: string): string
  readonly webhooks: string
  webhook(id: string): string
  delivery(webhook: string, number: number): string
  /** Where files are imported. */
  readonly imports: string
  /** An upload, or a part of its page. */
  import(id: string, part?: string): string
  readonly users: string
  user(name: string): string
  /** What belongs to a user, such as `sessions`, or one of it. */
  ofUser(name: string, part: string, id?: string): string
  readonly people: string
  person(name: string): string
  readonly audit: string
  readonly search: string
  /** Where a choice of colours is sent. */
  readonly theme: string
  readonly signIn: string
  readonly signOut: string
  readonly setUp: string
  /** A user's calendar, for programs that send no credentials. */
  calendar(secret: string): string
  /** Where an invited user sets a password. */
  invitation(token: string): string
  /** RFC 8615: a well-known address is at the root of its host, whatever the base is. */
  readonly catalog: string
  problem(code: string): string
  readonly rates: string
  readonly tasks: string
  /** Where the choice of a reporting currency is sent. */
  readonly reportingCurrency: string
  /** Where the choice of whose deals the home shows is sent. */
  readonly day: string
  /** Where a filter bar is sent, which leads to the filtered view. */
  filter(view: string): string
  /** Where rows that were selected in a list are changed together. */
  changes(collection: string): string
}

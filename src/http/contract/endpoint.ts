import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Access, Caller } from '../../access/access.ts'
import type { IdentityProvider } from '../../access/oidc/provider.ts'
import type { Roster } from '../../access/roster.ts'
import type { Settings } from '../../config.ts'
import type { Feed } from '../../events/feed.ts'
import type { ImportRuns } from '../../imports/uploads/import-runs.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Monitor } from '../../monitoring/monitor.ts'
import type { Traces } from '../../monitoring/traces.ts'
import type { QueryString } from '../../queries/query-string.ts'
import type { Document } from '../../representations/document.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import type { WritingContext } from '../../representations/markup/writing-context.ts'
import type { ListShape, Representation, ShownTable } from '../../representations/representation.ts'
import type { Desk } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import type { ListedItems } from '../../values/listed-items.ts'
import type { Role } from '../../values/role.ts'
import type { Addresses } from './addresses.ts'
import type { Answer, Headers } from './answer.ts'
import type { DescribedDoor } from './described-door.ts'
import type { Description } from './description.ts'
import type { Problem } from './problems/problem.ts'
import type { Route } from './route.ts'
import type { AnswerBudget, EntityTags, Peer, RequestLog, SessionCookie } from './service-parts.ts'

/** A route and its handler. Routes, OpenAPI, reference and checks are derived from it. */
export interface Endpoint extends Route {
  readonly summary: string
  /** The representations: those of a thing, of a list, of the list that the handler finds, or one fixed type. */
  readonly offers: 'resource' | 'collection' | 'found' | 'content'
  /** The items of a list; for a list to be found, the possible ones. */
  readonly items?: ListedItems
  /** The fixed type, and its other names. */
  readonly types?: readonly [string, ...string[]]
  /**
   * Query parameters known here, in addition to `format`; a collection reads its own, and so does a screen of one, with
   * filters only. Those of another service may be any. RFC 6749 §4.1.2: its additional ones are ignored.
   */
  readonly parameters?: readonly string[] | 'collection' | 'filters' | 'foreign'
  readonly reads?: readonly MediaType[]
  /** Its description in OpenAPI and the reference. */
  readonly describes?: Description
  /** The call with the id of a thing that its address names in another way. */
  readonly resolves?: (call: Call) => Promise<Call>
  readonly handle: (call: Call) => Promise<Answer | OfferedAnswer> | Answer
  /** The answer to `Accept: text/event-stream`; without it, that is 406. */
  readonly live?: (call: Call) => Promise<Answer>
  /** Whether such a stream can begin with what matches now: `snapshot=true`. */
  readonly snapshots?: true
}

/** An answer whose representations depend on the found thing: one is chosen before it is given. */
export interface OfferedAnswer {
  readonly available: readonly Representation[]
  readonly answer: (call: Call) => Promise<Answer>
}

export type MediaType =
  | 'application/json'
  | 'application/merge-patch+json'
  /** Read as JSON: its links ask for nothing. */
  | typeof HAL
  | 'application/x-www-form-urlencoded'
  /** Read line by line as it arrives, however long it is. */
  | typeof NDJSON
  /** A form with a file, read as it arrives. */
  | typeof MULTIPART
  /** A file, read as it arrives, whatever its encoding. */
  | (typeof FILE_TYPES)[number]

export const HAL = 'application/hal+json'

/** The body types of most writes. */
export const JSON_OR_FORM: readonly MediaType[] = ['application/json', 'application/x-www-form-urlencoded']

export const NDJSON = 'application/x-ndjson'
export const MULTIPART = 'multipart/form-data'

/** The types of files with rows. Many programs do not know the type of a file. */
export const FILE_TYPES = [
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
] as const

/** The types of bodies that are read as they arrive. */
export const streamed: readonly string[] = [NDJSON, MULTIPART, ...FILE_TYPES]

/** A request as an endpoint sees it. */
export interface Call {
  readonly params: { readonly [name: string]: string }
  readonly query: QueryString
  /** The query's parameters, if the address is not a collection; all names are known. */
  readonly parameters: ReadonlyMap<string, string>
  /** The sent path without the suffix of a format. */
  readonly path: string
  /** The suffix of the format with its dot, or empty. */
  readonly suffix: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** Undefined if none was sent. */
  readonly body: unknown
  /** The bytes of a body that is read as it arrives. */
  readonly incoming: AsyncIterable<Buffer> | undefined
  /** Set if the body is an HTML form: its fields as text. */
  readonly fields: ReadonlyMap<string, string> | undefined
  /** The names of the form's empty fields, which `fields` leaves out. */
  readonly emptied?: ReadonlySet<string>
  /** The name of the user or key; null if the service is open. */
  readonly actor: string | null
  /** The role of the user or key; null if the service is open and everything is allowed. */
  readonly role: Role | null
  /** The caller; null if the service is open or the caller is unknown. */
  readonly caller: Caller | null
  /** The store as the caller sees it. */
  readonly desk: Desk
  /** The schema of the whole call: that of its desk. */
  readonly schema: Schema
  readonly peer: Peer
  /** The limits of the answer. */
  readonly budget: AnswerBudget
  /** The reader of a page. */
  readonly reader: Reader
  /** The name of the negotiated representation. */
  readonly representation: string
  /** How it writes a whole result; undefined if it only writes pages. */
  readonly whole: Representation['whole']
  readonly service: Service
}

/** The service's log. An entry about a request has its `id`. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Sends a form to this service itself, as the user of a session and from the address of the call. */
export type Dispatch = (
  form: { readonly path: string; readonly content: string; readonly cookie: string },
  call: Pick<Call, 'headers' | 'peer'>,
) => Promise<{
  readonly status: number
  readonly headers: Headers
  readonly cookies: readonly string[]
  readonly text: string
}>

export interface Service {
  /**
   * `stopping` while the service stops and is not ready, `closing` once it ends connections with their answer, and
   * `notReady` the logged reason why the store cannot be used.
   */
  readonly state: { stopping: boolean; closing: boolean; notReady?: string | undefined; dispatch: Dispatch }
  /** The running release. */
  readonly version: string
  readonly log: Log
  /** Undefined if nothing is traced. */
  readonly traces: Traces | undefined
  readonly requestLog: RequestLog
  readonly store: Store
  /** The open doors. */
  readonly doors: readonly DescribedDoor[]
  readonly access: Access
  readonly roster: Roster
  /** The OpenID provider; undefined if none is set. */
  readonly provider: IdentityProvider | undefined
  readonly cookie: SessionCookie
  readonly monitor: Monitor
  readonly feed: Feed
  /** The imports that this process runs. */
  readonly imports: ImportRuns
  readonly settings: Settings
  readonly addresses: Addresses
  readonly tags: (schema: Schema) => EntityTags
  /** The headers of every page. */
  readonly htmlHeaders: Headers
  readonly screens: Screens
}

/**
 * The screens' interface for http: everything that people see where programs get JSON. Most of it is loaded on demand.
 */
export interface Screens {
  readonly show: (answer: Answer, call: Call, asked: ScreenRequest) => Promise<SeenAnswer>
  /** How people read a list, if there is a screen of this name. */
  readonly list: (name: string, of?: Resource) => ListReading | undefined
  /** The page of a problem without its own screen. */
  readonly problem: (problem: Problem, asked: ScreenRequest) => Document['screen']
  /** The surroundings of every page. */
  readonly around: (asked: ScreenRequest, chosen?: { readonly representation: Representation }) => WritingContext
  /** The problem of a form whose sender is no longer signed in: the sign-in page keeps the form. */
  readonly keepForm: (problem: Problem, asked: ScreenRequest) => Problem
}

/** An answer as people see it. */
export interface SeenAnswer {
  readonly answer: Answer
  /** The page's message about the form that led to it. */
  readonly notice?: Markup
  /** The cookie with which the next page reports what was done. */
  readonly cookie?: string
}

/** How people read a list. decisions/0046 */
export interface ListReading {
  /** The default order, as in `sort`. */
  readonly order?: string | undefined
  /** Whether it has a column for each field, so that `fields` chooses among them. */
  readonly showsFields?: true
  /** Its table as people see it, with some of the fields or the usual ones; undefined if it has none. */
  readonly table?: (fields: readonly string[] | undefined, call: Call) => Promise<SeenTable>
}

/** A list as people see it, for a file: its columns and heads, and the rows of items. */
export interface SeenTable extends Pick<ListShape, 'columns' | 'items'>, ShownTable {
  readonly rows: (items: readonly string[]) => Promise<readonly string[]>
}

/** A request whose answer people see. */
export interface ScreenRequest {
  readonly request: FastifyRequest
  readonly service: Service
  readonly schema: Schema
  readonly path: string
  readonly query: QueryString
  readonly offer: { readonly representations: readonly Representation[] }
  readonly notice?: Markup
}

export const header = (call: Pick<Call, 'headers'>, name: string): string | undefined => {
  const value = call.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** The reason why a reader has no operations on a deal. */
export const NEEDS_EDITOR = 'needs the role editor'

import type { Logger } from 'pino'
import type { Access } from '../access/access.ts'
import type { Settings } from '../config.ts'
import type { Feed } from '../events/feed.ts'
import type { Monitor } from '../monitoring/monitor.ts'
import type { NavigationEntry, RepresentationName } from '../representations/representation.ts'
import type { Store } from '../store/port/store.ts'
import { type Role, roles } from '../values/role.ts'
import type { Addresses } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Description } from './openapi/description.ts'
import type { EntityTags } from './respond/entity-tags.ts'

/** Who may call: anybody, or whoever has at least this role. */
export const needs = ['public', ...roles] as const
export type Need = (typeof needs)[number]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An address and a method, and what happens there. Routes, documents and checks are derived from these. */
export interface Endpoint {
  readonly method: Method
  /** Segments that begin with a colon are parameters. */
  readonly path: string
  readonly role: Need
  readonly summary: string
  /** Which representations there are: those of one thing, those of many, or one type whatever is accepted. */
  readonly offers: 'resource' | 'collection' | 'content'
  /** Where it is one type whatever is accepted: that type, and the others that also mean it. */
  readonly types?: readonly [string, ...string[]]
  /** Answers also under overload and beyond the rate limit. */
  readonly always?: true
  /** Query parameters known here, besides `format`; a collection reads its own, and so does a view of one with filters alone. */
  readonly parameters?: readonly string[] | 'collection' | 'filters'
  /** Media types of the body that is read; nothing where none is. */
  readonly reads?: readonly MediaType[]
  /** Only pages lead there: no document names it. */
  readonly pagesOnly?: true
  /** What documents say of it. */
  readonly describes?: Description
  readonly handle: (call: Call) => Promise<Answer> | Answer
  /** What `Accept: text/event-stream` gets; where there is none, that is not acceptable. */
  readonly live?: (call: Call) => Promise<Answer>
}

export type MediaType = 'application/json' | 'application/merge-patch+json' | 'application/x-www-form-urlencoded'

/** One request, as an endpoint sees it. */
export interface Call {
  readonly params: { readonly [name: string]: string }
  /** The query as it was sent, without the question mark. */
  readonly search: string
  /** The query of an address that is no collection, each name known. */
  readonly parameters: ReadonlyMap<string, string>
  /** The path as it was sent, without a format's suffix. */
  readonly path: string
  /** The suffix by which the representation was asked for, with its dot; empty where it was not. */
  readonly suffix: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** Nothing when none was sent. */
  readonly body: unknown
  /** Set when the body is an HTML form: its fields as text. */
  readonly fields: ReadonlyMap<string, string> | undefined
  /** The name of the user or key; nobody where the service is open. */
  readonly actor: string | null
  /** The role of the user or key; nothing where the service is open and everybody may do everything. */
  readonly role: Role | null
  /** The representation in which the answer will be written. */
  readonly representation: RepresentationName
  /** Aborted when the client goes away. */
  readonly left: AbortSignal
  readonly service: Service
}

/** Where the service says what its operators should know. An entry about a request has its id as `reqId`. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export interface Service {
  /** While it stops, it is not ready and keeps no connection. */
  readonly state: { stopping: boolean }
  /** The release that runs. */
  readonly version: string
  readonly log: Log
  readonly store: Store
  readonly access: Access
  readonly monitor: Monitor
  readonly feed: Feed
  readonly settings: Settings
  readonly addresses: Addresses
  readonly tags: EntityTags
  /** The places that every page leads to. */
  readonly navigation: readonly Place[]
}

/** Somewhere that every page leads to. */
export interface Place extends NavigationEntry {
  /** The role without which it is not shown. */
  readonly needs?: Role
  /** Other addresses that belong to it. */
  readonly also?: readonly string[]
}

export const header = (call: Pick<Call, 'headers'>, name: string): string | undefined => {
  const value = call.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** Why somebody who may only read can do nothing with a deal. */
export const NEEDS_EDITOR = 'needs the role editor'

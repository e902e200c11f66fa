import type { Operation } from '../deals/operation.ts'
import type { Collection, CollectionName } from '../queries/collection.ts'
import type { Json, JsonSchema } from '../values/kind.ts'
import type { HeaderName } from './openapi/headers.ts'
import type { ProblemCode } from './problem-types.ts'

/** What documents say of an endpoint, beyond what the server needs to know. */
export interface Description {
  /** The heading under which it stands. */
  readonly group: Group
  /** What the body may say; nothing where none is read. */
  readonly takes?: Taken
  /** What comes back when it goes well. */
  readonly gives: readonly Given[]
  /** The problems it can answer with, besides those that any address can. */
  readonly refuses?: readonly ProblemCode[]
  /** The collection that its query is about. */
  readonly asks?: Collection
  /** The last parameter of its path, where it is of a kind of its own. */
  readonly parameter?: { readonly description: string; readonly schema: JsonSchema; readonly example: Json }
}

export interface Given {
  readonly status: number
  /** What the body shows; nothing where there is none. */
  readonly shows?: Shape
  readonly headers?: readonly HeaderName[]
  readonly when: string
}

export type Shape =
  | 'deal'
  | 'customer'
  | 'entry'
  | 'command'
  | 'actions'
  | 'action'
  | 'board'
  | 'home'
  | 'versions'
  | 'queries'
  | 'problems'
  | 'problem-type'
  | 'health'
  /** One item of a collection, with its links. */
  | { readonly one: CollectionName }
  | { readonly page: CollectionName }
  | { readonly list: CollectionName }
  /** Bytes of one fixed media type. */
  | { readonly content: string }

export type Taken =
  | 'action'
  | 'attributes'
  | 'action-or-attributes'
  | 'command'
  | 'named-command'
  | 'customer'
  | 'customer-patch'
  | 'webhook'
  | 'rotation'
  /** The parameters of an operation; those of a deal that exists may stand beside its id. */
  | { readonly operation: Operation }

export const groups = {
  'Verb segment': 'Form 1. An operation is the last segment of the address, its parameters are the body.',
  'Past participle': 'Form 2. The same with the participle: what the deal shall be.',
  'Single update':
    'Forms 3 and 4, at the address of the deal: `action` and `params`, or the attributes as they should be.',
  'Noun sub-collection': 'Form 5. An operation is an entry in a collection of the deal. HTML forms use this one.',
  'Command in a deal': 'Form 6. A command under an id that the client chooses, decided once.',
  'Command collection': 'Form 7. The same for all deals, outside of them.',
  'Command endpoint': 'Form 8. A command by its name; nothing comes back.',
  Deals: 'Deals are created, read, listed and deleted.',
  History: 'What was done with a deal.',
  Customers: 'Who buys.',
  Queries: 'Results that are asked by name: a bare list, 404 when it is empty.',
  Events: 'What happened, as a feed.',
  Webhooks: 'Events, delivered.',
  Service: 'The service itself.',
} as const

export type Group = keyof typeof groups

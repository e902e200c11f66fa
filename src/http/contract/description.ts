import type { Operation } from '../../model/declaration/schema.ts'
import type { Collection } from '../../queries/collection.ts'
import type { Json } from '../../values/json/json.ts'
import type { JsonSchema } from '../../values/kinds/kind.ts'
import type { ProblemCode } from './problems/problem-types.ts'
import type { Success } from './success.ts'

/** The description of an endpoint for documents; the server does not use it. */
export interface Description {
  readonly group: Group
  /** Sentences that say more than its summary. */
  readonly about?: string
  /** The operation that its address names; endpoints of one operation are listed together. */
  readonly operation?: string
  /** The names of the forms of its requests; absent if it is no write of a thing. */
  readonly forms?: readonly string[]
  /** The form of its requests, if there are several. */
  readonly form?: string
  /** The path in documents, if it differs from the route by a slash at the end. */
  readonly path?: string
  /** The name of the body's schema; absent if the body has no members. */
  readonly takes?: string
  /** The successful answers. */
  readonly answers: readonly Success[]
  /** Its problems, besides those of every address. */
  readonly refuses?: readonly ProblemCode[]
  /** The collection that it queries. */
  readonly asks?: Collection
  /** The last path parameter, if it is described separately. */
  readonly parameter?: { readonly description: string; readonly schema: JsonSchema; readonly example: Json }
}

/** The name of the schema of an operation's parameters. */
export const paramsName = ({ words }: Operation): string => `${words.action}Input`

/** The headings of the document, in their order. */
export const groups: { readonly [title: string]: string } = {
  Customers: 'Who buys.',
  'Customers: History': 'What was done with a customer.',
  Deals: 'What is sold: made, listed, read, changed as a whole, deleted.',
  'Deals: Progress': 'From one stage to the next, on hold and off it, to the end and back.',
  'Deals: Terms': 'The price, the agreed date, the customer.',
  'Deals: Notes and people': 'What it is called and who looks after it.',
  'Deals: Money': 'Payments, and penalties that are waived.',
  'Deals: Archive and delete': 'Out of sight, and back.',
  'Deals: History': 'What was done with a deal: all of it, or one operation.',
  Commands:
    'Any operation under an id that the client chooses: however often it is sent, it is decided once. Or by its name, with nothing coming back.',
  Queries: 'Results that are asked by name: a bare list, 404 when it is empty.',
  Events: 'What happened, as a feed.',
  Imports: 'Files that are imported, and undone.',
  Webhooks: 'Events, delivered.',
  Users: 'Who may sign in.',
  Service: 'The service itself.',
}

export type Group = string

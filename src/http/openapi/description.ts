import type { Collection } from '../../queries/collection.ts'
import type { Json, JsonSchema } from '../../values/kinds/kind.ts'
import type { ProblemCode } from '../respond/problems/problem-types.ts'
import type { Success } from '../respond/success.ts'

/** What documents say of an endpoint, beyond what the server needs to know. */
export interface Description {
  /** The heading under which it stands. */
  readonly group: Group
  /** The operation that its address names; those of one operation stand together. */
  readonly operation?: string
  /** The form in which an operation is asked for here, where there are several. */
  readonly form?: string
  /** The path as documents write it, where it differs from the server's, which takes it with and without a slash. */
  readonly path?: string
  /** The schema of the body, by its name; nothing where the body says nothing. */
  readonly takes?: string
  /** What comes back when it goes well. */
  readonly answers: readonly Success[]
  /** The problems it can answer with, besides those that any address can. */
  readonly refuses?: readonly ProblemCode[]
  /** The collection that its query is about. */
  readonly asks?: Collection
  /** The last parameter of its path, where it is of a kind of its own. */
  readonly parameter?: { readonly description: string; readonly schema: JsonSchema; readonly example: Json }
}

/** The headings of the document, in their order: by resource, and among deals by what one wants. */
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
  Webhooks: 'Events, delivered.',
  Service: 'The service itself.',
}

export type Group = string

import type { Json } from '../../values/json/json.ts'
import { addDays } from '../../values/kinds/time.ts'

/** A query with a name and one parameter: `/query/{name}/{parameter}`. */
export interface NamedQueryDeclaration {
  readonly name: string
  readonly title: string
  readonly collection: string
  readonly parameter: {
    readonly name: string
    /** The compared field; the parameter has its kind. */
    readonly of: string
    readonly compares?: 'eq' | 'lt'
    readonly example: Json
    /** The source of example values, if it is not the compared field. */
    readonly seenOn?: readonly [collection: string, field: string]
    /** Turns an example value into a parameter, if they differ. */
    readonly fitting?: (seen: string | number) => string
  }
  /** A further filter for equality. */
  readonly besides?: readonly [field: string, value: string | boolean]
  /** The sort before the key. */
  readonly sort?: string
}

const dayAfter = (date: string | number): string => addDays(String(date), 1)

/** Every named query, in the order of its lists. */
export const declaredQueries = [
  {
    name: 'deals-by-customer',
    title: 'Deals of a customer',
    collection: 'deals',
    parameter: { name: 'customerId', of: 'customerId', example: 1 },
  },
  {
    name: 'deals-by-status',
    title: 'Deals in a status',
    collection: 'deals',
    parameter: { name: 'status', of: 'status', example: 'open' },
  },
  {
    name: 'deals-by-stage',
    title: 'Deals in a stage of the pipeline',
    collection: 'deals',
    parameter: { name: 'stage', of: 'stage', example: 'proposal' },
  },
  {
    name: 'deals-by-owner',
    title: 'Deals that somebody looks after',
    collection: 'deals',
    parameter: { name: 'owner', of: 'owner', example: 'Mila Sanz' },
  },
  {
    name: 'held-deals',
    title: 'Deals on hold, by their currency',
    collection: 'deals',
    parameter: { name: 'currency', of: 'currency', example: 'EUR' },
    besides: ['held', true],
  },
  {
    name: 'overdue-deals',
    title: 'Open deals that were to be completed before a date',
    collection: 'deals',
    parameter: { name: 'date', of: 'completionDate', compares: 'lt', example: '2026-11-30', fitting: dayAfter },
    besides: ['status', 'open'],
    sort: 'completionDate',
  },
  {
    name: 'customers-by-age',
    title: 'Customers of an age',
    collection: 'customers',
    parameter: { name: 'age', of: 'age', example: 30 },
  },
  {
    name: 'customers-by-children',
    title: 'Customers with so many children',
    collection: 'customers',
    parameter: { name: 'children', of: 'children', example: 2 },
  },
  {
    name: 'deal-history',
    title: 'What was done with a deal',
    collection: 'history',
    parameter: {
      name: 'dealId',
      of: 'deal',
      example: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10',
      seenOn: ['deals', 'id'],
    },
  },
] as const satisfies readonly NamedQueryDeclaration[]

/** For types: the names and their collections. */
export type DeclaredQuery = (typeof declaredQueries)[number]

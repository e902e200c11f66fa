import type { KeptTotal } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { sinceKinds } from '../../model/schema/resources.ts'
import type { Collection } from '../../queries/collection.ts'
import { resourceOf } from '../../queries/collections.ts'
import type { Groups } from '../../queries/members/groups.ts'
import { narrows } from '../../queries/operators.ts'
import { type Filter, isTerm, type Term } from '../../queries/query.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { kindIn } from '../rows/things.ts'

/** The table of a resource's nth total, a row for each combination of its fields' values. */
export const totalTable = (table: string, nth: number | ''): string => `${table}_totals_${nth}`

/** The number of things that a row of a total counts. */
export const ITEMS = 'items'

/** The kind of a field that totals are by. */
export const totalKind = (resource: Resource, field: string): Kind<unknown> =>
  sinceKinds(resource)[field] ?? kindIn(resource.kinds, field)

/** Instants count by their month: a total has its first instant in their place. */
export const isByMonth = (resource: Resource, field: string): boolean => totalKind(resource, field).name === 'instant'
export const MONTH_STARTS = '-01T00:00:00.000Z'

/** A total that answers a query for groups. */
export interface CoveringTotal {
  readonly table: string
  /** The terms of the filter, except those that hold for every counted thing. */
  readonly terms: readonly Term[]
}

/**
 * The total from which groups of a collection follow: it has every filtered and grouped field, and the sums. Totals
 * leave out deleted things, and things without a value in one of the fields.
 */
export function coveringTotal(collection: Collection, filter: Filter, groups: Groups): CoveringTotal | undefined {
  const resource = resourceOf(collection)
  if (resource?.totals === undefined || !filter.every(isTerm)) return undefined
  const isOfKept = ({ field, operator, values }: Term): boolean =>
    field.name === 'deleted' && operator === 'eq' && values.length === 1 && values[0] === false
  const terms = filter.filter((term) => !isOfKept(term))
  if (resource.keepsDeleted && terms.length === filter.length) return undefined
  const nth = resource.totals.findIndex((total) => covers(resource, total, terms, groups))
  return nth === -1 ? undefined : { table: totalTable(collection.name, nth), terms }
}

function covers(
  resource: Resource,
  { by, sum }: KeptTotal,
  terms: readonly Term[],
  { by: keys, measures }: Groups,
): boolean {
  const fields = [...terms, ...keys].map(({ field }) => field)
  const excludesNull = (name: string): boolean =>
    terms.some(({ field, operator }) => field.name === name && narrows(operator))
  return (
    fields.every(({ name, through }) => through === undefined && by.includes(name)) &&
    by.every((name) => !totalKind(resource, name).nullable || excludesNull(name)) &&
    measures.every((each) => !('field' in each) || (each.does === 'sum' && each.field.name === sum)) &&
    terms.every((term) => !isByMonth(resource, term.field.name) || isOfMonths(term)) &&
    keys.every(({ field, part }) => !isByMonth(resource, field.name) || part === 'month' || part === 'year')
  )
}

/** Whether a range begins or ends between two months. */
const isOfMonths = ({ operator, values }: Term): boolean =>
  (operator === 'gte' || operator === 'lt') && values.every((value) => String(value).endsWith(MONTH_STARTS))

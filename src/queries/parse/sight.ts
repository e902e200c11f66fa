import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { type Meets, may } from '../../model/intent/caller.ts'
import type { Conditions } from '../../model/intent/grants.ts'
import type { Caller } from '../../values/role.ts'
import type { Collection } from '../collection.ts'
import { collectionOf } from '../collections.ts'
import { matches, readThing } from '../matches.ts'
import { type Condition, type Filter, isTerm, leavesOf, type Tree } from '../query.ts'
import { type Asker, askerOf, namedFilter, wordsOf } from './caller.ts'
import { filterAsWritten } from './condition.ts'

/** The meaning of conditions of grants. One that the schema does not understand matches nothing. decisions/0078 */
export const NOTHING: Tree = { any: [], negated: false }

/** The filter of a condition, with the words for the caller as they were written. */
const filterOf = (resource: Resource, where: string): Filter | undefined => {
  const known = filtersOn(resource)
  const filter = known.has(where) ? known.get(where) : parsed(resource, where)
  known.set(where, filter)
  return filter
}

const filtersOn = bySchema((_resource: Resource): Map<string, Filter | undefined> => new Map())

function parsed(resource: Resource, where: string): Filter | undefined {
  const stored = { on: resource.name, where, changed: null, owner: null }
  const filter = filterAsWritten(resource.schema, stored)
  return filter && withoutDefaults(collectionOf(resource), filter, where)
}

/** A grant that does not speak of deleted things means them too. */
function withoutDefaults({ defaults }: Collection, filter: Filter, where: string): Filter {
  const isAdded = (each: Condition): boolean =>
    isTerm(each) && defaults.get(each.field.name) === each.values[0] && !where.includes(each.field.name)
  return filter.filter((each) => !isAdded(each))
}

/** The things that meet the conditions, one of each list, for a caller. */
export function filterFor(resource: Resource, conditions: Conditions, { user = null }: Pick<Caller, 'user'>): Filter {
  const asker = askerOf(resource.schema, user)
  return conditions.flatMap((alternatives) => eitherOf(resource, alternatives, asker))
}

function eitherOf(resource: Resource, alternatives: readonly string[], asker: Asker): Filter {
  const filters = alternatives.flatMap((where) => {
    const filter = filterOf(resource, where)
    return filter === undefined ? [] : [namedFilter(filter, asker)]
  })
  const [only, ...others] = filters
  // Indexes are chosen by terms outside trees.
  if (only !== undefined && others.length === 0) return only
  return [filters.length === 0 ? NOTHING : { any: filters, negated: false }]
}

/** Whether a thing of the model meets them. */
export const meets: Meets = (resource, conditions, caller, thing) =>
  conditions.length === 0 || matches(filterFor(resource, conditions, caller), thing)

/** Whether a caller may do an operation with a thing, by its document. */
export const mayDoWith = (caller: Caller | undefined, operation: Operation, json: string): boolean =>
  may(caller, operation, readThing(collectionOf(operation.on), json) as Thing, meets)

/** The fields that a condition compares with the caller or their teams. */
export const callersFields = (resource: Resource, where: string): readonly string[] =>
  leavesOf(filterOf(resource, where) ?? []).flatMap((term) => (wordsOf(term).length > 0 ? [term.field.name] : []))

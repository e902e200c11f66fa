import type { Resource } from '../model/declaration/schema.ts'
import { conditionsToSee, grantsFor } from '../model/intent/grants.ts'
import type { Caller } from '../values/role.ts'
import { type Collection, fieldOf } from './collection.ts'
import { resourceOf, wholeOf } from './collections.ts'
import { matchesNull } from './operators.ts'
import { filterFor, NOTHING } from './parse/sight.ts'
import { type Condition, type Filter, isTerm, type Term } from './query.ts'
import { equals } from './term.ts'

/** The visible part of a collection: of things that belong to their creators, and of what grants allow. decisions/0039 */
export function visibleTo(caller: Caller | undefined, collection: Collection): Filter {
  if (caller === undefined || caller.role === 'admin') return []
  const { privacy } = collection
  if (privacy === undefined) return grantedTo(caller, collection)
  const owner = fieldOf(collection, privacy.owner)
  const own: Term = { field: owner, operator: 'eq', values: [caller.name] }
  if (privacy.shared === undefined) return [own]
  const alternatives: readonly Filter[] = [
    [own],
    [equals(collection, privacy.shared, true), ...grantedTo(caller, collection)],
    [{ field: owner, operator: 'null', values: [true] }, ...grantedTo(caller, collection)],
  ]
  return [{ any: alternatives, negated: false }]
}

/** The things that grants let a caller see; all of them without roles that admins made. */
export function grantedThings(caller: Caller | undefined, resource: Resource): Filter {
  const grants = caller && grantsFor(resource, caller)
  if (caller === undefined || grants === undefined) return []
  const conditions = conditionsToSee(resource, grants)
  return conditions === undefined ? [NOTHING] : filterFor(resource, conditions, caller)
}

/** Of things, or of the periods of things. */
function grantedTo(caller: Caller, collection: Collection): Filter {
  if (caller.own === undefined) return []
  const resource = resourceOf(collection)
  if (resource !== undefined) return grantedThings(caller, resource)
  const whole = wholeOf(collection)
  return whole === undefined ? [] : reached(collection, whole.name, grantedThings(caller, whole))
}

/** A filter on a thing, asked of what refers to it. */
const reached = (collection: Collection, relation: string, filter: Filter): Filter =>
  filter.map(
    (each): Condition =>
      isTerm(each)
        ? { ...each, field: fieldOf(collection, `${relation}.${each.field.name}`) }
        : { ...each, any: each.any.map((some) => reached(collection, relation, some)) },
  )

/**
 * A filter as it means for a caller: fields of things that they do not see are null. Of a thing that is seen, a term
 * holds as it does; of another, if null matches it.
 */
export function seenThrough(caller: Caller, collection: Collection, filter: Filter): Filter {
  if (caller.own === undefined) return filter
  return filter.map((each): Condition => {
    if (!isTerm(each)) return { ...each, any: each.any.map((some) => seenThrough(caller, collection, some)) }
    const { through } = each.field
    const sight = through === undefined ? [] : grantedThings(caller, through.of)
    if (through === undefined || sight.length === 0) return each
    const relation = each.field.name.slice(0, -(through.field.name.length + 1))
    const seen = reached(collection, relation, sight)
    if (!matchesNull(each)) return { any: [[...seen, each]], negated: false }
    return { any: [[each], [{ any: [seen], negated: true }]], negated: false }
  })
}

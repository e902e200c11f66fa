import { complementTerm } from '../operators.ts'
import { type Condition, type Filter, isTerm } from '../query.ts'

/** At least one of the filters holds. */
export function anyOf(filters: readonly Filter[]): Filter {
  const [only, ...others] = filters
  if (only !== undefined && others.length === 0) return only
  return [{ any: filters.flatMap(alternativesOf), negated: false }]
}

/** The complement of a filter, nulls included. */
export function complementOf(filter: Filter): Filter {
  const [only, ...others] = filter
  return only !== undefined && others.length === 0 ? [opposite(only)] : [{ any: [filter], negated: true }]
}

/** An alternative that is itself a choice adds its own alternatives. */
function alternativesOf(filter: Filter): readonly Filter[] {
  const [only, ...others] = filter
  const isChoice = only !== undefined && others.length === 0 && !isTerm(only) && !only.negated
  return isChoice ? only.any : [filter]
}

/** For `eq`, `ne` and `null` the opposite is another term, which indexes serve. */
function opposite(condition: Condition): Condition {
  if (!isTerm(condition)) return { ...condition, negated: !condition.negated }
  return complementTerm(condition) ?? { any: [[condition]], negated: true }
}

import { ME, MY_TEAM } from '../../model/nouns/user/user.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { type Condition, type Filter, isTerm, leavesOf, type Query, type Term } from '../query.ts'

type CallersQuery = { readonly query: Query } | { readonly faults: readonly Fault[] }

/** Whether a filter names the caller, as `owner=me` does. */
export const namesCaller = (filter: Filter): boolean => leavesOf(filter).some(isMe)

/** Whether a filter names the caller's team. */
export const namesTeam = (filter: Filter): boolean => leavesOf(filter).some((term) => isUser(term, MY_TEAM))

export const NO_TEAMS = reason('no-teams', { name: MY_TEAM })

/** The query with the name of the caller's user for `me`; a fault if the caller is not a user. */
export function withCaller(parsed: CallersQuery, user: string | null): CallersQuery {
  if ('faults' in parsed || parsed.query.namesCaller === undefined) return parsed
  const { query } = parsed
  if (user !== null) return { query: { ...query, filter: query.filter.map((each) => replaced(each, user)) } }
  return { faults: [{ ...NOBODY, at: { parameter: parsed.query.namesCaller } }] }
}

export const NOBODY = reason('no-caller', { name: ME })

const isMe = (term: Term): boolean => isUser(term, ME)

const isUser = ({ field, operator, values }: Term, name: string): boolean =>
  field.kind.namesUser === true && (operator === 'eq' || operator === 'ne') && values.includes(name)

function replaced(condition: Condition, user: string): Condition {
  if (!isTerm(condition)) {
    return { ...condition, any: condition.any.map((filter) => filter.map((each) => replaced(each, user))) }
  }
  if (!isMe(condition)) return condition
  return { ...condition, values: condition.values.map((value) => (value === ME ? user : value)) }
}

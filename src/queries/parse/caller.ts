import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { ME, MY_TEAM, MY_TEAMS } from '../../model/nouns/user/user.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { type Condition, type Filter, isTerm, leavesOf, type Query, type Term, type Value } from '../query.ts'

type CallersQuery = { readonly query: Query } | { readonly faults: readonly Fault[] }

/** Whom the words for the caller and their teams mean. */
export interface Asker {
  /** Null for a caller who is no user. */
  readonly user: string | null
  /** The members of the teams that they are in or lead. */
  readonly team: readonly string[]
  /** With those of the teams below. */
  readonly teams: readonly string[]
}

export const askerOf = (schema: Schema, user: string | null): Asker => {
  if (user === null || schema.teams.length === 0) return { user, team: [], teams: [] }
  const known = askersIn(schema)
  const asker = known.get(user) ?? teamsOf(schema, user)
  known.set(user, asker)
  return asker
}

const askersIn = bySchema((_schema: Schema): Map<string, Asker> => new Map())

function teamsOf({ teams }: Schema, user: string): Asker {
  const own = teams.filter(({ lead, members }) => lead === user || members.includes(user))
  const below = new Set(own)
  // A team that joins is looked at too.
  for (const { name } of below) for (const each of teams) if (each.parent === name) below.add(each)
  const membersIn = (some: Iterable<Schema['teams'][number]>): readonly string[] => [
    ...new Set([...some].flatMap(({ members }) => members)),
  ]
  return { user, team: membersIn(own), teams: membersIn(below) }
}

/** Whether a filter names the caller, as `owner=me` does, or their teams. */
export const namesCaller = (filter: Filter): boolean => leavesOf(filter).some((term) => wordsOf(term).length > 0)

/** Whether a filter names the caller's teams. */
export const namesTeam = (filter: Filter): boolean =>
  leavesOf(filter).some((term) => wordsOf(term).some((word) => word !== ME))

export const NO_TEAMS = reason('no-teams', { name: MY_TEAM })

/** The query with names of users in place of the words for the caller; a fault if the caller is not a user. */
export function withCaller(parsed: CallersQuery, asker: Asker): CallersQuery {
  if ('faults' in parsed || parsed.query.namesCaller === undefined) return parsed
  const { query } = parsed
  if (asker.user !== null) return { query: { ...query, filter: namedFilter(query.filter, asker) } }
  return { faults: [{ ...NOBODY, at: { parameter: parsed.query.namesCaller } }] }
}

/** A filter about the caller. Without a user or a team, a word means nobody. */
export const namedFilter = (filter: Filter, asker: Asker): Filter => filter.map((each) => replaced(each, asker))

export const NOBODY = reason('no-caller', { name: ME })

const words: readonly Value[] = [ME, MY_TEAM, MY_TEAMS]

/** The words for the caller that a term compares with. */
export const wordsOf = ({ field, operator, values }: Term): readonly Value[] =>
  field.kind.namesUser === true && (operator === 'eq' || operator === 'ne')
    ? values.filter((value) => words.includes(value))
    : []

function replaced(condition: Condition, asker: Asker): Condition {
  if (!isTerm(condition)) return { ...condition, any: condition.any.map((filter) => namedFilter(filter, asker)) }
  if (wordsOf(condition).length === 0) return condition
  const values = new Set(condition.values.flatMap((value) => meant(value, asker)))
  return { ...condition, values: values.size === 0 ? [NO_NAME] : [...values] }
}

function meant(value: Value, { user, team, teams }: Asker): readonly Value[] {
  if (value === ME) return user === null ? [] : [user]
  if (value === MY_TEAM) return team
  return value === MY_TEAMS ? teams : [value]
}

/** No user has an empty name. */
const NO_NAME = ''

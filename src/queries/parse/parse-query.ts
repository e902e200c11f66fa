import { problemBounds, queryBounds } from '../../values/bounds.ts'
import { type Fault, near, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { onceFor } from '../../values/memoize.ts'
import type { Collection } from '../collection.ts'
import { readCursor } from '../cursor.ts'
import type { ReadCondition } from '../dialects/dialect.ts'
import { dialects } from '../dialects/dialects.ts'
import { filterParameters } from '../dialects/filter-parameters.ts'
import { SEARCH } from '../dialects/search.ts'
import { largestPage, shownMembers } from '../members/expansion.ts'
import {
  type Condition,
  comparisonsIn,
  type Filter,
  isTerm,
  leavesOf,
  type Query,
  type SortTerm,
  type Term,
  type Tree,
} from '../query.ts'
import { listed, type Parameter, type QueryString, readQueryString } from '../query-string.ts'
import {
  DEFAULT_SIZE,
  type QuerySettings,
  readSetting,
  type SettingName,
  settingNamed,
  settingNames,
} from '../settings.ts'
import { defaultSort } from '../sort.ts'
import { equals, mergeTerms } from '../term.ts'
import { NO_TEAMS, namesCaller, namesTeam } from './caller.ts'
import { currencyFaults, readGroups } from './read-groups.ts'

export type ParsedQuery = { readonly query: Query } | { readonly faults: readonly Fault[] }

export interface QueryOptions {
  /** The default sort; ends with the key. */
  readonly sort?: readonly SortTerm[]
  /** Conditions that a door reads in its own syntax. */
  readonly conditions?: Filter
  /** Saved parameters: the other filters narrow theirs, even on the same field. */
  readonly saved?: ReadonlySet<Parameter>
}

/** Parses a query string; returns the query or all its faults. */
export function parseQuery(
  collection: Collection,
  sent: QueryString | string,
  options: QueryOptions = {},
): ParsedQuery {
  const { parameters } = typeof sent === 'string' ? readQueryString(sent) : sent
  const groups = readGroups(collection, parameters)
  if (groups !== undefined && 'faults' in groups) return groups
  const list = groups?.list ?? collection
  const faults: Fault[] = []
  const filter: AskedFilter = { terms: [], saved: [], others: [], count: 0, values: 0 }
  for (const condition of options.conditions ?? [])
    addCondition('filter', condition, filter, filter.terms, hasTeams(collection), faults)
  const settings: AskedSettings = { values: new Map(), spellings: new Map() }
  for (const parameter of parameters) {
    const { name, fault } = parameter
    if (faults.length >= problemBounds.queryFaults) break
    if (fault !== undefined) faults.push({ ...fault, at: { parameter: name } })
    else if (settingNames.has(name)) takeSetting(list, parameter, settings, faults)
    else takeFilter(collection, parameter, options, filter, faults)
  }
  const asked: QuerySettings = Object.fromEntries(settings.values)
  const sort = asked.sort ?? (groups ? undefined : options.sort) ?? defaultSort(list)
  const place = readPlace(list, sort, asked, settings.spellings, faults)
  const conditions = [...mergeTerms(filter.saved), ...mergeTerms(filter.terms), ...filter.others]
  if (groups !== undefined) faults.push(...currencyFaults(groups, conditions))
  if (faults.length > 0) return { faults }
  const members = shownMembers(collection, asked)
  return {
    query: {
      filter: withDefaults(collection, conditions),
      sort,
      size: Math.min(asked.maxpagesize ?? DEFAULT_SIZE, largestPage(members)),
      ...place,
      count: asked.count ?? false,
      ...members,
      ...(groups && { groups }),
      refuseEmpty: asked.empty ?? false,
      ...(filter.caller !== undefined && { namesCaller: filter.caller }),
    },
  }
}

/** The settings of a query while it is parsed. */
interface AskedSettings {
  readonly values: Map<SettingName, QuerySettings[SettingName]>
  /** The sent parameters, by the name under which they were sent. */
  readonly spellings: Map<string, SettingName>
}

function takeSetting(
  collection: Collection,
  { name: spelling, value: text }: Parameter,
  { values, spellings }: AskedSettings,
  faults: Fault[],
): void {
  const name = settingNamed(spelling)
  if (name === undefined) return
  if (spellings.has(spelling)) {
    faults.push({ code: 'repeated', at: { parameter: spelling } })
    return
  }
  const read = readSetting(collection, spelling, text)
  const value = 'value' in read ? read.value : undefined
  const other = [...spellings].find(([, each]) => each === name)?.[0]
  // A faulty setting counts as given, so that a repetition is noticed.
  spellings.set(spelling, name)
  if ('fault' in read) faults.push({ ...read.fault, at: { parameter: spelling } })
  else if (other !== undefined && !isSame(values.get(name), value)) {
    faults.push({ code: 'contradicts', with: { other }, at: { parameter: spelling } })
  }
  values.set(name, value)
}

/** Settings are plain data except for the fields of a sort. */
const isSame = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown) => JSON.stringify(value, (key, each) => (key === 'field' ? each.name : each))
  return plain(a) === plain(b)
}

/** The filter of a query while it is parsed. */
interface AskedFilter {
  /** Comparisons in separate parameters: repeating one means any of its values. */
  readonly terms: Term[]
  /** The same for saved parameters. */
  readonly saved: Term[]
  readonly others: Condition[]
  /** The number of terms, at any depth. */
  count: number
  /** The number of values that they compare with. */
  values: number
  /** The first parameter that names the caller. */
  caller?: string
}

function takeFilter(
  collection: Collection,
  parameter: Parameter,
  { saved }: QueryOptions,
  filter: AskedFilter,
  faults: Fault[],
): void {
  const read = readFilterParameter(collection, parameter)
  if (read === undefined) {
    const known = otherName(collection, parameter.name) ?? nearest(parameter.name, plainNames(collection))
    faults.push({ ...reason('unknown', near(known)), at: { parameter: parameter.name } })
  } else if ('fault' in read) {
    const { faults: inside = [{ ...read.fault, at: {} }] } = read
    const placed = inside.map((each) => ({ ...each, at: { parameter: parameter.name, ...each.at } }))
    faults.push(...placed.slice(0, problemBounds.queryFaults))
  } else {
    const terms = saved?.has(parameter) ? filter.saved : filter.terms
    addCondition(parameter.name, read, filter, terms, hasTeams(collection), faults)
  }
}

function addCondition(
  parameter: string,
  condition: Condition,
  filter: AskedFilter,
  terms: Term[],
  hasTeams: boolean,
  faults: Fault[],
): void {
  filter.count += comparisonsIn([condition])
  filter.values += leavesOf([condition]).reduce((sum, { values }) => sum + values.length, 0)
  if (namesCaller([condition])) filter.caller ??= parameter
  if (!hasTeams && namesTeam([condition])) faults.push({ ...NO_TEAMS, at: { parameter } })
  if (filter.count > queryBounds.terms) {
    faults.push({ code: 'too-many-filters', with: { max: queryBounds.terms }, at: { parameter } })
  } else if (filter.values > queryBounds.values) {
    faults.push({ code: 'too-many-values', with: { max: queryBounds.values }, at: { parameter } })
  } else if (isTerm(condition)) terms.push(condition)
  else filter.others.push(...unfolded(condition))
}

const hasTeams = ({ schema }: Collection): boolean => schema.teams.length > 0

/** A tree with one alternative equals that alternative. */
function unfolded(tree: Tree): Filter {
  const [only, ...others] = tree.any
  if (tree.negated || only === undefined || others.length > 0) return [tree]
  return only.flatMap((each) => (isTerm(each) ? [each] : unfolded(each)))
}

/** The condition that a parameter states in any dialect; undefined if it is not a filter. */
export function readFilterParameter(collection: Collection, parameter: Parameter): ReadCondition | undefined {
  for (const dialect of dialects) {
    const read = dialect.read(collection, parameter)
    if (read !== undefined) return read
  }
  return undefined
}

/** The values of a parameter: several if a dialect reads it as a list. */
export const valuesIn = (parameter: Parameter): readonly string[] =>
  dialects.some((dialect) => dialect.isList?.(parameter)) ? listed(parameter) : [parameter.value ?? '']

/** Names to suggest. Names with signs are left out: their dialect reports its own faults. */
const plainNames = onceFor((collection: Collection): readonly string[] => {
  const filters = filterParameters(collection).map(({ name }) => name)
  const holders = dialects.flatMap((dialect) => dialect.holders ?? [])
  const plain = filters.filter((name) => /^[\w-]+$/.test(name) || collection.fields.has(name))
  return [...settingNames, ...holders, ...plain]
})

/** A suggestion for a name that other interfaces use for the same setting. */
function otherName({ fields, searched }: Collection, name: string): string | undefined {
  if (name !== SEARCH && name !== 'search') return undefined
  if (searched.length > 0) return SEARCH
  return fields.has('name') ? 'name.contains' : undefined
}

function readPlace(
  collection: Collection,
  sort: readonly SortTerm[],
  asked: QuerySettings,
  spellings: AskedSettings['spellings'],
  faults: Fault[],
): Pick<Query, 'page' | 'skip' | 'after' | 'before' | 'omitted'> {
  const [name, other] = (['before', 'after', 'offset', 'page'] as const).filter((each) => asked[each] !== undefined)
  const sent = (setting: SettingName): string => [...spellings].find(([, each]) => each === setting)?.[0] ?? setting
  if (name !== undefined && other !== undefined) {
    faults.push({ code: 'not-together', with: { other: sent(other) }, at: { parameter: sent(name) } })
  }
  if (name === undefined || name === 'page') return { page: asked.page ?? 1 }
  if (name === 'offset') return { skip: asked.offset ?? 0 }
  const read = readCursor(collection, sort, asked[name] ?? '')
  if ('value' in read) {
    const { values, omitted } = read.value
    return { [name]: values, ...(omitted.length > 0 && { omitted }) }
  }
  faults.push({ ...read.fault, at: { parameter: sent(name) } })
  return {}
}

/** Adds the collection's default filters, unless the query filters by their field. */
function withDefaults(collection: Collection, filter: Filter): Filter {
  const silent = [...collection.defaults].filter(([name]) => !leavesOf(filter).some(({ field }) => field.name === name))
  const terms = silent.map(([name, value]) => equals(collection, name, value))
  return terms.length === 0 ? filter : [...filter, ...terms]
}

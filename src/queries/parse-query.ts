import { type Collection, fieldOf } from './collection.ts'
import { readCursor } from './cursor.ts'
import { dialects } from './dialects/dialects.ts'
import { mergeTerms } from './merge-terms.ts'
import { type Parameter, type ParameterFault, readParameters } from './parameters.ts'
import type { Filter, Query, SortTerm, Term } from './query.ts'
import { DEFAULT_SIZE, isSetting, readSetting, type SettingName, type Settings, settingNames } from './settings.ts'
import { defaultSort } from './sort.ts'
import type { ReadTerm } from './term.ts'
import { didYouMean, otherName } from './unknown-name.ts'

export const MOST_TERMS = 50
/** A query that is wrong all over need not be told everything. */
const MOST_FAULTS = 20

export type ParsedQuery = { readonly query: Query } | { readonly faults: readonly ParameterFault[] }

export interface QueryOptions {
  /** Parameters that mean something elsewhere. */
  readonly known?: readonly string[]
  /** Where the query names no sort; ends with the key. */
  readonly sort?: readonly SortTerm[]
}

/** What a raw query string (what follows the `?`) asks of a collection, or everything that is wrong with it. */
export function parseQuery(collection: Collection, raw: string, options: QueryOptions = {}): ParsedQuery {
  const known = options.known ?? []
  const faults: ParameterFault[] = []
  const terms: Term[] = []
  const settings = new Map<SettingName, Settings[SettingName]>()
  for (const parameter of readParameters(raw)) {
    if (faults.length >= MOST_FAULTS) break
    if ('fault' in parameter) faults.push(parameter.fault)
    else if (isSetting(parameter.name)) takeSetting(collection, parameter.name, parameter, settings, faults)
    else if (!known.includes(parameter.name)) takeTerm(collection, parameter, known, terms, faults)
  }
  const asked: Settings = Object.fromEntries(settings)
  const sort = asked.sort ?? options.sort ?? defaultSort(collection)
  const place = readPlace(collection, sort, asked, faults)
  if (faults.length > 0) return { faults }
  const { fields } = asked
  return {
    query: {
      filter: withOtherwise(collection, mergeTerms(terms)),
      sort,
      size: asked.maxpagesize ?? DEFAULT_SIZE,
      ...place,
      count: asked.count ?? false,
      ...(fields && { fields }),
      refuseEmpty: asked.empty ?? false,
    },
  }
}

function takeSetting(
  collection: Collection,
  name: SettingName,
  { value }: Parameter,
  settings: Map<SettingName, Settings[SettingName]>,
  faults: ParameterFault[],
): void {
  if (settings.has(name)) {
    faults.push({ parameter: name, detail: 'must be given once' })
    return
  }
  const read = readSetting(collection, name, value)
  if ('fault' in read) faults.push({ parameter: name, detail: read.fault })
  // A faulty one counts as given too, so that its repetition is noticed.
  settings.set(name, 'value' in read ? read.value : undefined)
}

function takeTerm(
  collection: Collection,
  parameter: Parameter,
  known: readonly string[],
  terms: Term[],
  faults: ParameterFault[],
): void {
  const read = readForms(collection, parameter)
  if (read === undefined) {
    const names = [...settingNames, ...known, ...dialects.flatMap((form) => form.names(collection))]
    const near = otherName(collection, parameter.name) ?? didYouMean(parameter.name, names)
    faults.push({ parameter: parameter.name, detail: `is not known here${near}` })
  } else if ('fault' in read) {
    faults.push({ parameter: parameter.name, detail: read.fault })
  } else if (terms.length >= MOST_TERMS) {
    faults.push({ parameter: parameter.name, detail: `is one more than the ${MOST_TERMS} filters a query may have` })
  } else {
    terms.push(read)
  }
}

/** The comparison that a parameter spells, in whichever form; nothing where it is none. */
export function readForms(collection: Collection, parameter: Parameter): ReadTerm | undefined {
  for (const form of dialects) {
    const read = form.read(collection, parameter)
    if (read !== undefined) return read
  }
  return undefined
}

function readPlace(
  collection: Collection,
  sort: readonly SortTerm[],
  asked: Settings,
  faults: ParameterFault[],
): Pick<Query, 'page' | 'after' | 'before' | 'omitted'> {
  const [name, other] = (['before', 'after', 'page'] as const).filter((each) => asked[each] !== undefined)
  if (name === undefined || name === 'page') return { page: asked.page ?? 1 }
  if (other !== undefined) faults.push({ parameter: name, detail: `cannot be given together with ${other}` })
  const read = readCursor(collection, sort, asked[name] ?? '')
  if ('value' in read) {
    const { values, omitted } = read.value
    return { [name]: values, ...(omitted.length > 0 && { omitted }) }
  }
  faults.push({ parameter: name, detail: read.fault })
  return {}
}

/** The collection's own equalities, where the query says nothing of their field. */
function withOtherwise(collection: Collection, filter: Filter): Filter {
  const silent = [...collection.otherwise].filter(([name]) => !filter.some(({ field }) => field.name === name))
  const terms = silent.map(
    ([name, value]): Term => ({ field: fieldOf(collection, name), operator: 'eq', values: [value] }),
  )
  return terms.length === 0 ? filter : [...filter, ...terms]
}

import { type Collection, fieldOf } from './collection.ts'
import { readCursor } from './cursor.ts'
import { queryForms } from './forms.ts'
import { mergeTerms } from './merge-terms.ts'
import { type Parameter, type ParameterFault, readParameters } from './parameters.ts'
import type { Filter, Query, SortTerm, Term } from './query.ts'
import { DEFAULT_SIZE, isSetting, readSetting, type SettingName, type Settings, settingNames } from './settings.ts'
import { defaultSort } from './sort.ts'
import type { ReadTerm } from './term.ts'
import { didYouMean } from './unknown-name.ts'

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
  const after = readAfter(collection, sort, asked, faults)
  if (faults.length > 0) return { faults }
  const { page, fields } = asked
  return {
    query: {
      filter: withOtherwise(collection, mergeTerms(terms)),
      sort,
      size: asked.maxpagesize ?? DEFAULT_SIZE,
      ...(after === undefined ? { page: page ?? 1 } : { after }),
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
    const names = [...settingNames, ...known, ...queryForms.flatMap((form) => form.names(collection))]
    faults.push({ parameter: parameter.name, detail: `is not known here${didYouMean(parameter.name, names)}` })
  } else if ('fault' in read) {
    faults.push({ parameter: parameter.name, detail: read.fault })
  } else if (terms.length >= MOST_TERMS) {
    faults.push({ parameter: parameter.name, detail: `is one more than the ${MOST_TERMS} filters a query may have` })
  } else {
    terms.push(read)
  }
}

function readForms(collection: Collection, parameter: Parameter): ReadTerm | undefined {
  for (const form of queryForms) {
    const read = form.read(collection, parameter)
    if (read !== undefined) return read
  }
  return undefined
}

function readAfter(
  collection: Collection,
  sort: readonly SortTerm[],
  { after, page }: Settings,
  faults: ParameterFault[],
): Query['after'] {
  if (after === undefined) return undefined
  if (page !== undefined) faults.push({ parameter: 'after', detail: 'cannot be given together with page' })
  const read = readCursor(collection, sort, after)
  if ('value' in read) return read.value
  faults.push({ parameter: 'after', detail: read.fault })
  return undefined
}

/** The collection's own equalities, where the query says nothing of their field. */
function withOtherwise(collection: Collection, filter: Filter): Filter {
  const silent = [...collection.otherwise].filter(([name]) => !filter.some(({ field }) => field.name === name))
  const terms = silent.map(
    ([name, value]): Term => ({ field: fieldOf(collection, name), operator: 'eq', values: [value] }),
  )
  return terms.length === 0 ? filter : [...filter, ...terms]
}

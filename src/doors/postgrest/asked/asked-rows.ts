import type { Collection } from '../../../queries/collection.ts'
import { readScanned } from '../../../queries/expressions/scanner.ts'
import { type Condition, type Filter, isTerm, type SortTerm, type Value } from '../../../queries/query.ts'
import type { Parameter } from '../../../queries/query-string.ts'
import { type Fault, type Reason, reason } from '../../../values/faults/fault.ts'
import { settingsIn, wholeNumber } from '../../kit/settings.ts'
import { readCondition, readOrder, withDots } from './condition.ts'
import { withTheirs } from './embedded.ts'
import { type ChosenMember, everything, readSelect } from './select.ts'

/** The query of an address. */
export interface AskedRows {
  readonly members: readonly ChosenMember[]
  /** All of them hold; none is merged with another. */
  readonly conditions: readonly Condition[]
  readonly sort?: readonly SortTerm[]
  readonly limit?: number
  readonly offset: number
  /** The columns of an insert or update; other members of its rows are ignored. */
  readonly columns?: readonly string[]
  /** The unique column of an upsert. */
  readonly onConflict?: string
}

const settings = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'] as const
type Setting = (typeof settings)[number]

/** The parameters that have a meaning. */
const meaningful = {
  read: { settings: ['select', 'order', 'limit', 'offset'], filters: true },
  insert: { settings: ['select', 'columns', 'on_conflict'], filters: false },
  put: { settings: ['select', 'columns'], filters: true },
  update: { settings: ['select', 'columns'], filters: true },
  delete: { settings: ['select'], filters: true },
  call: { settings: ['select'], filters: false },
} as const satisfies {
  readonly [use: string]: { readonly settings: readonly Setting[]; readonly filters: boolean }
}

export type RowsUse = keyof typeof meaningful

export function readAskedRows(
  collection: Collection,
  parameters: readonly Parameter[],
  use: RowsUse,
): AskedRows | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const given = new Map<string, string>()
  const rest: Parameter[] = []
  const { settings: allowed, filters }: { readonly settings: readonly Setting[]; readonly filters: boolean } =
    meaningful[use]
  for (const parameter of parameters) {
    const { name, value = '' } = parameter
    const wrong = (why: Reason): unknown => faults.push({ ...why, at: { parameter: name } })
    const isSetting = settings.some((each) => each === name)
    if (parameter.fault !== undefined) wrong(parameter.fault)
    else if (isSetting && given.has(name)) wrong(reason('repeated'))
    else if (isSetting ? !allowed.some((each) => each === name) : !filters) wrong(reason('meaningless'))
    else if (isSetting) given.set(name, value)
    else rest.push(parameter)
  }
  const asked = settingsIn(given, faults)
  const chosen = asked('select', (text) => readScanned(text, (scanner) => readSelect(scanner, collection)))
  const mine: Parameter[] = []
  const members = withTheirs(chosen ?? everything, rest, mine, faults)
  const conditions: Condition[] = []
  for (const parameter of mine) {
    const read = readCondition(collection, parameter.name, parameter)
    if ('fault' in read) faults.push({ ...read.fault, at: { parameter: parameter.name } })
    else conditions.push(read)
  }
  const sort = asked('order', (text) => readOrder(collection, text))
  const limit = asked('limit', wholeNumber)
  const columns = asked('columns', (text) => ({ value: text.split(',').map((each) => each.replace(/^"(.*)"$/, '$1')) }))
  const offset = asked('offset', wholeNumber) ?? 0
  const onConflict = given.get('on_conflict')
  if (faults.length > 0) return { faults }
  return {
    members,
    conditions,
    offset,
    ...(sort && { sort }),
    ...(limit !== undefined && { limit }),
    ...(columns && { columns }),
    ...(onConflict !== undefined && { onConflict: withDots(onConflict.replaceAll('"', '')) }),
  }
}

/** The id that every row must have; undefined if the conditions name none. */
export const idIn = (conditions: Filter): Value | undefined =>
  conditions.map(eqNamedBy).find((eq) => eq?.field === 'id')?.value

/** A column and the value that every row must have there. */
export interface ColumnValue {
  readonly field: string
  readonly value: Value
}

/** The only condition, if it names one value of a column. */
export const eqIn = (conditions: Filter): ColumnValue | undefined => {
  const [only, ...others] = conditions
  return only === undefined || others.length > 0 ? undefined : eqNamedBy(only)
}

function eqNamedBy(condition: Condition): ColumnValue | undefined {
  if (!isTerm(condition)) {
    const [only, ...others] = condition.any
    return only === undefined || others.length > 0 || condition.negated ? undefined : eqIn(only)
  }
  const { field, operator, values } = condition
  const [value, ...others] = values
  return operator === 'eq' && value !== undefined && others.length === 0 ? { field: field.name, value } : undefined
}

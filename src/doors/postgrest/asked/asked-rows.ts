import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { logicNames } from '../../../queries/dialects/logic-parameters.ts'
import { filterField, noSuchField } from '../../../queries/expressions/comparison.ts'
import { readOperands, readPredicate } from '../../../queries/expressions/logic.ts'
import {
  expectEnd,
  literalAt,
  readExpression,
  readScanned,
  type Scanner,
  skipSpaces,
  take,
} from '../../../queries/expressions/scanner.ts'
import { type Condition, type Filter, isTerm, type SortTerm, type Tree, type Value } from '../../../queries/query.ts'
import type { Parameter } from '../../../queries/query-string.ts'
import { readSort } from '../../../queries/sort.ts'
import { type Fault, fault, type Reason, reason } from '../../../values/faults/fault.ts'
import { groupOf } from '../../../values/json/places.ts'
import { groupsOf } from '../../../values/members.ts'
import { settingsIn, wholeNumber } from '../../kit/settings.ts'
import { type ChosenMember, type Embedding, embeddingsIn, everything, readSelect } from './select.ts'
import { asInSql } from './three-values.ts'

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
  const members = withLimits(chosen ?? everything, rest, faults)
  const embeddings = embeddingsIn(members)
  const conditions = embeddings.filter(({ inner }) => inner).map((each) => isThere(each, collection))
  for (const parameter of rest) {
    const read = readCondition(collection, parameter, embeddings)
    if (read === undefined) continue
    if ('fault' in read) faults.push({ ...read.fault, at: { parameter: parameter.name } })
    else conditions.push(read)
  }
  const sort = asked('order', (text) => readSort(collection, withDots(text), 'as in SQL'))
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

/** `deals.limit=3` */
function withLimits(
  members: readonly ChosenMember[],
  parameters: readonly Parameter[],
  faults: Fault[],
): readonly ChosenMember[] {
  return members.map((member) => {
    if (member.kind !== 'embedding' || member.relation.kind === 'one') return member
    const name = `${member.as}.limit`
    const [limit, again] = parameters.filter((each) => each.name === name)
    if (limit === undefined) return member
    const read = again === undefined ? wholeNumber(limit.value ?? '') : fault('repeated')
    if ('value' in read) return { ...member, limit: read.value }
    faults.push({ ...read.fault, at: { parameter: name } })
    return member
  })
}

const isThere = ({ relation }: Embedding, collection: Collection): Condition => ({
  field: fieldOf(collection, relation.field),
  operator: 'null',
  values: [false],
})

/** The condition of a parameter; undefined for the limit of embedded things. */
function readCondition(
  collection: Collection,
  { name, value = '' }: Parameter,
  embeddings: readonly Embedding[],
): Tree | { readonly fault: Reason } | undefined {
  const logic = logicNames.get(name)
  if (logic !== undefined) {
    return readExpression(value, (scanner) => {
      skipSpaces(scanner)
      const truth = readOperands({ scanner, collection, ...asInSql }, logic.logic)
      expectEnd(scanner, 'end')
      return logic.negated ? truth.isFalse : truth.isTrue
    })
  }
  const [head, ...tail] = name.split('.')
  const embedding = embeddings.find(({ as, relation }) => tail.length > 0 && (as === head || relation.name === head))
  if (embedding === undefined) return readComparison(collection, name, value)
  if (embedding.relation.kind === 'many') {
    return name === `${embedding.as}.limit` ? undefined : fault('unsupported', { wants: 'embedded' })
  }
  if (embedding.inner) return readComparison(collection, [embedding.relation.name, ...tail].join('.'), value)
  return fault('needs-inner', { name: head ?? '' })
}

/** `gte.18`; the rest of the text is the value. */
function readComparison(collection: Collection, name: string, text: string): Tree | { readonly fault: Reason } {
  const field = filterField(collection, withDots(name))
  if (field === undefined) return noSuchField(collection, withDots(name), withArrowIn(collection))
  return readExpression(text, (scanner) => {
    const { isTrue } = readPredicate({ scanner, collection, ...asInSql }, field, () => readRest(scanner))
    expectEnd(scanner, 'end')
    return isTrue
  })
}

/** A path into a column, by its names. */
const withDots = (text: string): string => text.replaceAll(/->>?/g, '.')
const withArrowIn =
  ({ columns }: Collection) =>
  (name: string): string =>
    groupsOf(columns).has(groupOf(name)) ? name.replace('.', '->>') : name

const everythingElse = /[\s\S]*/y

const readRest = (scanner: Scanner): string => literalAt(scanner.at, take(scanner, everythingElse) ?? '')

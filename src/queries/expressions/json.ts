import { problemBounds, queryBounds } from '../../values/bounds.ts'
import { type Fault, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { asText, isExactNumber } from '../../values/json/exact-numbers.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Json } from '../../values/json/json.ts'
import { inDigits } from '../../values/json/number-literal.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import type { KindName } from '../../values/kinds/kind.ts'
import { NO_OBJECT } from '../../values/members.ts'
import type { Collection, CollectionField } from '../collection.ts'
import type { Occurrence } from '../like-pattern.ts'
import { type Compared, isYesOrNo } from '../operators.ts'
import { type Condition, type Filter, isTerm, type Operator } from '../query.ts'
import { type ReadTerm, readList, readTerm } from '../term.ts'
import { anyOf, complementOf } from './combine.ts'
import { comparisonNames, filterField, meaningOf, noSuchField } from './comparison.ts'
import { tooDeep } from './scanner.ts'
import { withPercents, withPlainStars } from './wildcards.ts'

interface JsonReader {
  readonly collection: Collection
  readonly faults: Fault[]
}

/**
 * `{"age": {"gte": 18}, "or": [{"country": ["DE", null]}, {"not": {"name": {"regex": "^A"}}}]}`: all members must hold.
 * A list means any of its values, for `ne` none of them. An empty `or` matches nothing, an empty object everything.
 * Numbers are raw JSON (`readNumbersRaw`), so that each of their digits counts.
 */
export function readJsonFilter(collection: Collection, value: unknown) {
  const reader: JsonReader = { collection, faults: [] }
  const filter = readFilter(reader, value, '', 0)
  return { filter, faults: reader.faults }
}

function readFilter(reader: JsonReader, value: unknown, pointer: string, depth: number): Filter {
  if (!isObject(value)) return refused(reader, pointer, NO_OBJECT)
  return Object.entries(value).flatMap(([name, each]) =>
    readMember(reader, name, each, pointer + pointerTo(name), depth),
  )
}

function readMember(reader: JsonReader, name: string, value: unknown, pointer: string, depth: number): Filter {
  if (reader.faults.length >= problemBounds.faults) return []
  if (name !== 'and' && name !== 'or' && name !== 'not') return readField(reader, name, value, pointer)
  if (depth === queryBounds.depth) return refused(reader, pointer, tooDeep)
  if (name === 'not') return complementOf(readFilter(reader, value, pointer, depth + 1))
  if (!Array.isArray(value)) return refused(reader, pointer, reason('type', { wants: 'filters' }))
  const filters = value.map((each, at) => readFilter(reader, each, `${pointer}/${at}`, depth + 1))
  return name === 'and' ? filters.flat() : anyOf(filters)
}

function readField(reader: JsonReader, name: string, value: unknown, pointer: string): Filter {
  const field = filterField(reader.collection, name)
  if (field === undefined && hasMembers(reader.collection, name) && isObject(value)) {
    return Object.entries(value).flatMap(([member, each]) =>
      readField(reader, `${name}.${member}`, each, pointer + pointerTo(member)),
    )
  }
  if (field === undefined) return refused(reader, pointer, noSuchField(reader.collection, name).fault)
  if (!isObject(value)) {
    return readComparison(reader, field, Array.isArray(value) ? 'in' : 'eq', value, pointer)
  }
  return Object.entries(value).flatMap(([word, each]) => {
    const at = pointer + pointerTo(word)
    const comparison = comparisons.get(word)
    return comparison === undefined
      ? refused(reader, at, reason('unknown-comparison', near(nearest(word, comparisons.keys()))))
      : readComparison(reader, field, comparison, each, at)
  })
}

/** `{"customer": {"country": "DE"}}` means the same as `{"customer.country": "DE"}`, `{"own": …}` likewise. */
const hasMembers = ({ fields }: Collection, name: string): boolean =>
  fields.keys().some((each) => each.startsWith(`${name}.`))

type JsonComparison = Operator | Occurrence | 'in'

/** By their names in JSON: `ilike` has a pattern with `*` or `%`, and `_`, and ignores case. */
const comparisons: ReadonlyMap<string, JsonComparison> = new Map<string, JsonComparison>([
  ...comparisonNames.map((name): [string, JsonComparison] => [name, name]),
  ['ilike', 'like'],
])

/** A comparison with one value, or with any of several; for `ne` with none of them. */
function readComparison(
  reader: JsonReader,
  field: CollectionField,
  name: JsonComparison,
  value: unknown,
  pointer: string,
): Filter {
  const isList = Array.isArray(value)
  const values: readonly unknown[] = isList ? value : [value]
  const { compares } = meaningOf(name)
  if (isList && compares === 'order') return refused(reader, pointer, reason('takes-one-value'))
  const texts: string[] = []
  for (const [at, each] of values.entries()) {
    if (each === null && compares === 'value') continue
    const text = textOf(typeFor(field, compares), each)
    if (typeof text === 'object') return refused(reader, isList ? `${pointer}/${at}` : pointer, text.fault)
    texts.push(text)
  }
  const term = texts.length === 0 ? undefined : termOf(field, name, texts)
  if (term !== undefined && 'fault' in term) return refused(reader, pointer, term.fault)
  const found: Filter[] = term === undefined ? [] : [[term]]
  if (values.includes(null)) found.push([{ field, operator: 'null', values: [name !== 'ne'] }])
  return name === 'ne' ? found.flat() : anyOf(found)
}

/** One term with all the values. */
function termOf(field: CollectionField, name: JsonComparison, texts: readonly string[]): ReadTerm {
  if (name === 'in' || name === 'eq') return readList(field, texts)
  const terms = texts.map((text) => readTerm(field, name, name === 'like' ? withPercents(text) : text))
  const wrong = terms.find((term) => 'fault' in term)
  if (wrong !== undefined) return wrong
  const sound = terms.filter((term) => 'values' in term)
  return { field, operator: sound[0]?.operator ?? 'eq', values: sound.flatMap(({ values }) => values) }
}

type JsonType = 'number' | 'boolean' | 'string'

function typeFor({ kind }: CollectionField, compares: Compared): JsonType {
  if (isYesOrNo(compares)) return 'boolean'
  return comparesValues(compares) ? jsonTypes[kind.name] : 'string'
}

/** Whether it compares with values of the field's own kind. */
const comparesValues = (compares: Compared): boolean => compares === 'value' || compares === 'order'

const jsonTypes: Readonly<Record<KindName, JsonType>> = {
  integer: 'number',
  amount: 'number',
  boolean: 'boolean',
  text: 'string',
  choice: 'string',
  choices: 'string',
  date: 'string',
  instant: 'string',
  uuid: 'string',
  json: 'string',
}

function textOf(type: JsonType, value: unknown): string | { readonly fault: Reason } {
  if (typeof value !== type && !(type === 'number' && isExactNumber(value))) return fault('type', { wants: type })
  return type === 'number' ? inDigits(asText(value)) : String(value)
}

function refused({ faults }: JsonReader, pointer: string, why: Reason): Filter {
  faults.push({ ...why, at: { pointer } })
  return []
}

/** A filter as such JSON. */
export function writeJsonFilter(filter: Filter): WrittenFilter {
  const parts = filter.map(writeCondition)
  const names = parts.flatMap(Object.keys)
  // An object has each name once.
  return new Set(names).size === names.length ? Object.assign({}, ...parts) : { and: parts }
}

type WrittenFilter = { readonly [name: string]: Json }

function writeCondition(condition: Condition): WrittenFilter {
  if (!isTerm(condition)) {
    const { any, negated } = condition
    const inner = any.length === 1 ? writeJsonFilter(any[0] ?? []) : { or: any.map(writeJsonFilter) }
    return negated ? { not: inner } : inner
  }
  const { field, operator, values } = condition
  const isOwn = comparesValues(meaningOf(operator).compares)
  const written = values.map((value) => {
    if (isOwn) return field.kind.write(value)
    return operator === 'like' ? withPlainStars(String(value)) : value
  })
  const [one = null] = written
  return { [field.name]: { [operator === 'like' ? 'ilike' : operator]: written.length === 1 ? one : written } }
}

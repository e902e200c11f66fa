import { fault, type Reason } from '../values/faults/fault.ts'
import { type Read, readFilter } from '../values/kinds/kind.ts'
import { boolean } from '../values/kinds/number.ts'
import { type Collection, type CollectionField, fieldOf } from './collection.ts'
import { likePattern, type Occurrence, occurrencePattern, openEnds } from './like-pattern.ts'
import { compareValues, operators } from './operators.ts'
import type { Operator, Term, Value } from './query.ts'
import { needsValue } from './query-string.ts'
import { regexFault } from './regex/regex.ts'

export type ReadTerm = Term | { readonly fault: Reason }

/** Compares a field with a valid value. */
export const equals = (collection: Collection, name: string, value: Value): Term => ({
  field: fieldOf(collection, name),
  operator: 'eq',
  values: [value],
})

/** Parses one comparison. */
export function readTerm(field: CollectionField, operator: Operator | Occurrence, text: string | undefined): ReadTerm {
  if (text === undefined) return needsValue
  if (field.kind.unordered && operator in operators && operators[operator as Operator].compares === 'order')
    return fault('unordered', { name: field.name })
  switch (operator) {
    case 'regex':
      return readPattern(field, text)
    case 'like':
      return asTerm(field, 'like', likePattern(text))
    case 'contains':
    case 'starts':
    case 'ends':
      return asTerm(field, 'like', occurrencePattern(text, operator))
    case 'null':
      return asTerm(field, 'null', boolean.readText(text))
    case 'unknown':
      return field.kind.namesUser
        ? asTerm(field, 'unknown', boolean.readText(text))
        : fault('not-for-persons', { name: field.name })
    case 'eq':
    case 'ne':
      return asAny(field, operator, readSeveral(field, text))
    default:
      return asTerm(field, operator, readValue(field, text))
  }
}

/** A comparison by its name; only `in` has several values. */
export function readComparison(
  field: CollectionField,
  name: Operator | Occurrence | 'in',
  texts: readonly string[],
): ReadTerm {
  return name === 'in' ? readList(field, texts) : readTerm(field, name, texts[0])
}

/** Equality with any of several values. */
export function readList(field: CollectionField, texts: readonly string[]): ReadTerm {
  const values: Value[] = []
  for (const each of texts) {
    const read = readSeveral(field, each)
    if ('fault' in read) return read
    values.push(...read.value)
  }
  return { field, operator: 'eq', values }
}

/** A match with a regular expression, which may be derived from the sent text. */
export function readPattern(field: CollectionField, pattern: string, sent = pattern): ReadTerm {
  const bad = regexFault(pattern, sent)
  return bad === undefined ? { field, operator: 'regex', values: [pattern] } : { fault: bad }
}

// A field's kind reads a `Value`; the map of fields has lost its type.
const readValue = (field: CollectionField, text: string) => readFilter(field.kind, text) as Read<Value>

/** A text stands for one value, or for a group of values. */
function readSeveral(field: CollectionField, text: string): Read<readonly Value[]> {
  const several = field.kind.groups?.get(text) as readonly Value[] | undefined
  if (several !== undefined) return { value: several }
  const read = readValue(field, text)
  return 'fault' in read ? read : { value: [read.value] }
}

const asAny = (field: CollectionField, operator: Operator, read: Read<readonly Value[]>): ReadTerm =>
  'fault' in read ? read : { field, operator, values: read.value }

const asTerm = (field: CollectionField, operator: Operator, read: Read<Value>): ReadTerm =>
  'fault' in read ? read : { field, operator, values: [read.value] }

/** Merges repeated comparisons into one term for each field and operator, with any of the values. */
export function mergeTerms(terms: readonly Term[]): readonly Term[] {
  const merged = new Map<string, Term>()
  for (const term of terms) {
    const of = comparisonOf(term)
    const known = merged.get(of)
    const values = known === undefined ? term.values : [...known.values, ...term.values]
    merged.set(of, { ...term, values: reduce(term, values) })
  }
  return [...merged.values()]
}

/** Terms with the same comparison match if any of their values does. */
export function comparisonOf({ field, operator, values }: Term): string {
  return `${field.name} ${operator} ${operator === 'like' ? openEnds(String(values[0])) : ''}`
}

/** Of several bounds, any of which may hold, only the widest counts. */
function reduce({ field: { kind }, operator }: Term, values: readonly Value[]): readonly Value[] {
  const { bound } = operators[operator]
  // Which of two is wider may depend on another field of the thing.
  if (bound === undefined || (kind.within?.ranks.size ?? 1) > 1) return [...new Set(values)]
  const isWider = (a: Value, b: Value): boolean => {
    const order = compareValues(kind, a, b) ?? 0
    return bound.side === 'above' ? order < 0 : order > 0
  }
  return [values.reduce((widest, each) => (isWider(each, widest) ? each : widest))]
}

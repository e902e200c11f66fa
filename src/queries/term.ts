import { fault, type Read, readFilter } from '../values/kinds/kind.ts'
import { boolean } from '../values/kinds/number.ts'
import type { CollectionField } from './collection.ts'
import { likePattern, type Occurrence, occurrencePattern } from './like-pattern.ts'
import type { Operator, Term, Value } from './query.ts'
import { regexFault } from './regex/regex.ts'

export type ReadTerm = Term | { readonly fault: string }

/** Parses one comparison. */
export function readTerm(field: CollectionField, operator: Operator | Occurrence, text: string | undefined): ReadTerm {
  if (text === undefined) return fault('needs a value')
  switch (operator) {
    case 'regex':
      return asTerm(field, 'regex', readPattern(text))
    case 'like':
      return asTerm(field, 'like', likePattern(text))
    case 'contains':
    case 'starts':
    case 'ends':
      return asTerm(field, 'like', occurrencePattern(text, operator))
    case 'null':
      return asTerm(field, 'null', boolean.readText(text))
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
    const read = readValue(field, each)
    if ('fault' in read) return read
    values.push(read.value)
  }
  return { field, operator: 'eq', values }
}

function readPattern(text: string): Read<Value> {
  const bad = regexFault(text)
  return bad === undefined ? { value: text } : fault(bad)
}

// A field's kind reads a `Value`; the map of fields has lost its type.
const readValue = (field: CollectionField, text: string) => readFilter(field.kind, text) as Read<Value>

const asTerm = (field: CollectionField, operator: Operator, read: Read<Value>): ReadTerm =>
  'fault' in read ? read : { field, operator, values: [read.value] }

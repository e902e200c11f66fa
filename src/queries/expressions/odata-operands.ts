import { reason } from '../../values/faults/fault.ts'
import { type Collection, type CollectionField, filterable } from '../collection.ts'
import { literally, type Occurrence, occurring } from '../like-pattern.ts'
import type { Filter } from '../query.ts'
import { readPattern, readTerm } from '../term.ts'
import { filterField, namedIn, noSuchField } from './comparison.ts'
import {
  expected,
  LONGEST_EXCERPT,
  literalAt,
  misread,
  type Scanner,
  skipSpaces,
  take,
  takeSign,
  termAt,
  wanted,
} from './scanner.ts'
import { regexOf } from './wildcards.ts'

export interface OdataReader extends Scanner {
  readonly collection: Collection
  /** Within `own/tags/any(…)`: each value of that field, by its name there. */
  item?: { readonly name: string; readonly field: CollectionField } | undefined
}

/** A part of an expression: a condition, a field, or a value. */
export type Operand = Literal | { readonly at: number; readonly filter: Filter } | FieldOperand

interface FieldOperand {
  readonly at: number
  readonly field: CollectionField
  /** Within `tolower` or `toupper`. */
  readonly folded: boolean
}

export interface Literal {
  readonly at: number
  readonly literal: string
  readonly quoted: boolean
}

type ReadFunction = (reader: OdataReader, at: number) => Operand
type Functions = ReadonlyMap<string, ReadFunction>

/** A value, a field, or one of these functions. */
export function readOperand(reader: OdataReader, known: Functions): Operand {
  skipSpaces(reader)
  const { at, collection, item } = reader
  const literal = readLiteral(reader)
  if (literal !== undefined) return literal
  const name = take(reader, path) ?? ''
  const isCall = takeSign(reader, '(')
  const read = isCall ? known.get(name.toLowerCase()) : undefined
  if (read !== undefined) return read(reader, at)
  const field = isCall ? undefined : name === item?.name ? item.field : filterField(collection, dotted(name))
  if (field !== undefined) return { at, field, folded: false }
  const words = dotted(name).split('.')
  if (!isCall && words.length > 1) {
    const named = namedIn(collection, words)
    const why = noSuchField(collection, named, (known) => known.replaceAll('.', '/')).fault
    misread(at, reason('named', { name: named.replaceAll('.', '/').slice(0, LONGEST_EXCERPT), why }))
  }
  reader.at = at
  const names = filterable(collection).map((each) => each.name)
  return expected(reader, 'operand', {}, [...names, ...known.keys()])
}

const none: Functions = new Map()
const folds: Functions = new Map([
  ['tolower', readFolded],
  ['toupper', readFolded],
])
export const functions: Functions = new Map<string, ReadFunction>([
  ...folds,
  ['contains', (reader, at) => readMatch(reader, at, 'contains')],
  ['startswith', (reader, at) => readMatch(reader, at, 'starts')],
  ['endswith', (reader, at) => readMatch(reader, at, 'ends')],
  ['matchespattern', readMatchesPattern],
  ['unknown', readUnknown],
])

/** `tolower(name)`, `toupper(name)`: ignores case. Around a text it has no effect. */
function readFolded(reader: OdataReader, at: number): Operand {
  const operand = readOperand(reader, none)
  closeFunction(reader)
  if ('field' in operand) return { ...operand, at, folded: true }
  return 'literal' in operand && operand.quoted ? operand : wanted(operand.at, 'field-or-text')
}

function closeFunction(reader: OdataReader): void {
  skipSpaces(reader)
  if (!takeSign(reader, ')')) expected(reader, 'behind-arguments')
}

/** The field and the text that a function compares. */
function readArguments(reader: OdataReader) {
  const field = readOperand(reader, folds)
  if (!('field' in field)) return wanted(field.at, 'field')
  skipSpaces(reader)
  if (!takeSign(reader, ',')) expected(reader, 'comma-and-text')
  const value = readOperand(reader, folds)
  if (!('literal' in value) || !value.quoted) return wanted(value.at, 'quoted-text')
  closeFunction(reader)
  return { field, value }
}

function readMatch(reader: OdataReader, at: number, occurrence: Occurrence): Operand {
  const { field, value } = readArguments(reader)
  const read = field.folded
    ? readTerm(field.field, occurrence, value.literal)
    : readPattern(field.field, regexOf(occurring(literally(value.literal), occurrence)), value.literal)
  return { at, filter: [termAt(reader, value.at, read)] }
}

function readMatchesPattern(reader: OdataReader, at: number): Operand {
  const { field, value } = readArguments(reader)
  if (field.folded) return wanted(field.at, 'field-not-folded')
  return { at, filter: [termAt(reader, value.at, readTerm(field.field, 'regex', value.literal))] }
}

/** `unknown(owner)`: names nobody. */
function readUnknown(reader: OdataReader, at: number): Operand {
  const field = readOperand(reader, none)
  if (!('field' in field)) return wanted(field.at, 'field')
  closeFunction(reader)
  return { at, filter: [termAt(reader, field.at, readTerm(field.field, 'unknown', 'true'))] }
}

const quotation = /'[^']*(?:''[^']*)*'/y
// A number, a date, an instant or an id.
const bare = /-?\d[\w.:+-]*|[\da-f]{8}-[\da-f]{4}-[\w-]+|(?:null|true|false)(?![\w/(])/iy

export function readLiteral(reader: OdataReader): Literal | undefined {
  const { at } = reader
  const text = take(reader, quotation)
  if (text !== undefined) {
    return { at, literal: literalAt(at, text).slice(1, -1).replaceAll("''", "'"), quoted: true }
  }
  if (reader.text[at] === "'") wanted(at, 'closing-quote', { sign: "'" })
  const literal = take(reader, bare)
  if (literal === undefined) return undefined
  return { at, literal: /^(?:null|true|false)$/i.test(literal) ? literal.toLowerCase() : literal, quoted: false }
}

const path = /[a-z_][\w-]*(?:[/.][\w-]+)*/iy
/** OData's path to a member in our own spelling. */
export const dotted = (text: string): string => text.replaceAll('/', '.')

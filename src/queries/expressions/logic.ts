import { fault, reason } from '../../values/faults/fault.ts'
import type { Collection, CollectionField } from '../collection.ts'
import type { Term } from '../query.ts'
import { type ReadTerm, readComparison, readPattern, readTerm } from '../term.ts'
import { comparisonNames, filterField, namedIn, noSuchField } from './comparison.ts'
import {
  expected,
  inParentheses,
  LONGEST_EXCERPT,
  listAt,
  literalAt,
  misread,
  type Scanner,
  skipSpaces,
  take,
  takeSign,
  termAt,
  wanted,
} from './scanner.ts'
import { regexOf, withPercents } from './wildcards.ts'

export type Logic = 'and' | 'or'

/** The input of filters in PostgREST's spelling, and the handlers of their parts. */
export interface LogicReading<T> {
  readonly scanner: Scanner
  readonly collection: Collection
  /** The operator as written. */
  readonly term: (term: Term, operator: string) => T
  readonly all: (operands: readonly T[]) => T
  readonly any: (operands: readonly T[]) => T
  readonly not: (operand: T) => T
}

/** `(age.gte.65,not.and(country.eq.DE,name.like.A*))` */
export function readOperands<T>(reading: LogicReading<T>, logic: Logic): T {
  const { scanner } = reading
  return inParentheses(scanner, () => {
    const operands: T[] = []
    do {
      skipSpaces(scanner)
      operands.push(readOperand(reading))
      skipSpaces(scanner)
    } while (takeSign(scanner, ','))
    return logic === 'or' ? reading.any(operands) : reading.all(operands)
  })
}

const nested = /(and|or)(?=\s*\()/y

function readOperand<T>(reading: LogicReading<T>): T {
  const { scanner } = reading
  const negated = takeSign(scanner, 'not.')
  const logic = take(scanner, nested)
  skipSpaces(scanner)
  const operand = logic === undefined ? readOne(reading) : readOperands(reading, logic as Logic)
  return negated ? reading.not(operand) : operand
}

function readOne<T>(reading: LogicReading<T>): T {
  const { scanner, collection } = reading
  const field = readField(scanner, collection)
  if (!takeSign(scanner, '.')) expected(scanner, 'operator-behind', { name: field.name })
  return readPredicate(reading, field, () => readValue(scanner))
}

// The name of a field may itself have dots.
const path = /(?:\w|-(?!>))+(?:(?:\.|->>?)(?:\w|-(?!>))+){0,3}/y

/** PostgREST's arrows lead into a column. */
const between = /\.|->>?/

function readField(scanner: Scanner, collection: Collection): CollectionField {
  const { at } = scanner
  const text = take(scanner, path)
  if (text === undefined) expected(scanner, 'comparison-in-dots')
  const words = text.split(between)
  for (let length = words.length; length > 0; length--) {
    const field = filterField(collection, words.slice(0, length).join('.'))
    if (field === undefined) continue
    const behind = words.slice(length).reduce((sum, word) => sum + word.length, 0)
    const signs = [...text.matchAll(new RegExp(between, 'g'))].slice(length - 1)
    scanner.at = at + text.length - behind - signs.reduce((sum, [sign]) => sum + sign.length, 0)
    return field
  }
  const named = namedIn(collection, words)
  return misread(
    at,
    reason('named', { name: named.slice(0, LONGEST_EXCERPT), why: noSuchField(collection, named).fault }),
  )
}

type ReadPredicate = (field: CollectionField, text: string) => ReadTerm

const own = comparisonNames.map((name): [string, ReadPredicate] => [
  name,
  (field, text) => readComparison(field, name, [text]),
])

const matching =
  (pattern: (text: string) => string): ReadPredicate =>
  (field, text) =>
    readPattern(field, pattern(text), text)

/** By PostgREST's names and our own. */
const predicates: ReadonlyMap<string, ReadPredicate> = new Map([
  ...own,
  ['neq', (field, text) => readTerm(field, 'ne', text)],
  ['isdistinct', (field, text) => readTerm(field, 'ne', text)],
  ['is', readState],
  ['like', matching((text) => regexOf(withPercents(text)))],
  ['ilike', (field, text) => readTerm(field, 'like', withPercents(text))],
  ['match', matching((text) => text)],
  ['imatch', matching((text) => `(?i)${text}`)],
])

function readState(field: CollectionField, text: string): ReadTerm {
  switch (text) {
    case 'null':
      return readTerm(field, 'null', 'true')
    case 'not_null':
      return readTerm(field, 'null', 'false')
    case 'true':
    case 'false':
      return readTerm(field, 'eq', text)
    default:
      return fault('not-one-of', { values: ['null', 'not_null', 'true', 'false'] })
  }
}

const operator = /\w+/y
const modifier = /\((?:any|all)\)/y

/** `gte.65`, `not.in.(1,2)`, `like(any).{A*,B*}`. */
export function readPredicate<T>(reading: LogicReading<T>, field: CollectionField, readText: () => string): T {
  const { scanner } = reading
  const negated = takeSign(scanner, 'not.')
  const start = scanner.at
  const name = take(scanner, operator) ?? ''
  const predicate = predicates.get(name)
  if (predicate === undefined) {
    scanner.at = start
    expected(scanner, 'operator', {}, predicates.keys())
  }
  const quantity = severally.has(name) ? take(scanner, modifier) : undefined
  if (!takeSign(scanner, '.')) expected(scanner, 'value-behind', { name })
  const termOf = ({ at, text }: ReadText) => reading.term(termAt(scanner, at, predicate(field, text)), name)
  const operand = (): T => {
    if (name === 'in') {
      if (takeSign(scanner, '()')) return reading.any([])
      return reading.term(listAt(scanner, field, readList(scanner, name, '(', ')')), name)
    }
    if (quantity === undefined) return termOf({ at: scanner.at, text: readText() })
    const terms = readList(scanner, name, '{', '}').map(termOf)
    return quantity === '(any)' ? reading.any(terms) : reading.all(terms)
  }
  return negated ? reading.not(operand()) : operand()
}

/** The operators that compare with any or all of several values. */
const severally: ReadonlySet<string> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'])

type Closing = ')' | '}'

interface ReadText {
  readonly at: number
  readonly text: string
}

function readList(scanner: Scanner, name: string, opening: string, closing: Closing): readonly ReadText[] {
  if (!takeSign(scanner, opening)) expected(scanner, 'before-values', { sign: opening, name })
  const texts: ReadText[] = []
  do texts.push({ at: scanner.at, text: readValue(scanner, closing) })
  while (takeSign(scanner, ','))
  if (!takeSign(scanner, closing)) expected(scanner, 'behind-values', { sign: closing, name })
  return texts
}

const quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
const bare = { ')': /[^,)]*/y, '}': /[^,}]*/y }
const end = { ')': /(?=\s*[,)])/y, '}': /(?=\s*[,}])/y }

/** In double quotes, with a backslash before `"` and `\`; otherwise up to the next comma or parenthesis. */
function readValue(scanner: Scanner, closing: Closing = ')'): string {
  const { at } = scanner
  if (scanner.text[at] !== '"') return literalAt(at, take(scanner, bare[closing]) ?? '')
  const text = take(scanner, quoted)
  if (text === undefined) wanted(at, 'closing-quote', { sign: '"' })
  if (take(scanner, end[closing]) === undefined) expected(scanner, 'behind-quote', { sign: closing })
  return literalAt(at, text)
    .slice(1, -1)
    .replaceAll(/\\([\s\S])/g, '$1')
}

import type { Collection, CollectionField } from '../collection.ts'
import { anyOf, complementOf } from '../expressions/combine.ts'
import {
  expectEnd,
  expected,
  inParentheses,
  LONGEST_EXCERPT,
  listAt,
  literalAt,
  MOST_DEPTH,
  misread,
  readExpression,
  type Scanner,
  skipSpaces,
  take,
  takeSign,
  termAt,
} from '../expressions/scanner.ts'
import { regexOf, withPercents } from '../expressions/wildcards.ts'
import { type Condition, type Filter, isTerm, type Operator, type Term, type Value } from '../query.ts'
import { type ReadTerm, readComparison, readTerm } from '../term.ts'
import { comparisonNames, type Dialect, filterField, noSuchField } from './dialect.ts'

type Logic = 'and' | 'or'

const parameters: ReadonlyMap<string, { readonly logic: Logic; readonly negated: boolean }> = new Map([
  ['or', { logic: 'or', negated: false }],
  ['and', { logic: 'and', negated: false }],
  ['not.or', { logic: 'or', negated: true }],
  ['not.and', { logic: 'and', negated: true }],
])

/** `or=(age.gte.65,not.and(country.eq.DE,name.like.A*))`, as PostgREST has it. decisions/0028 */
export const logicParameters: Dialect = {
  name: 'logic parameters',
  note: () =>
    '`or=(…)`, `and=(…)`, `not.or=(…)` and `not.and=(…)` hold comparisons `field.operator.value`, separated by commas and nested, in PostgREST’s spelling; double quotes enclose a value with commas or parentheses.',
  holders: [...parameters.keys()],
  read(collection, { name, value }) {
    const asked = parameters.get(name)
    if (asked === undefined) return undefined
    return readExpression(value ?? '', (scanner) => {
      skipSpaces(scanner)
      const filter = readOperands(scanner, collection, asked.logic)
      expectEnd(scanner, 'the end')
      return asked.negated ? complementOf(filter) : filter
    })
  },
  spell: () => [],
  write(_, filter) {
    const written = writeAll(filter, 0)
    if (written === undefined) return undefined
    const [, name, operands] = /^((?:not\.)?(?:and|or))(\(.*)$/s.exec(written) ?? [undefined, 'and', `(${written})`]
    return `${name}=${encodeURIComponent(operands ?? '').replaceAll('%2C', ',')}`
  },
}

function readOperands(scanner: Scanner, collection: Collection, logic: Logic): Filter {
  return inParentheses(scanner, () => {
    const operands: Filter[] = []
    do {
      skipSpaces(scanner)
      operands.push(readOperand(scanner, collection))
      skipSpaces(scanner)
    } while (takeSign(scanner, ','))
    return logic === 'or' ? anyOf(operands) : operands.flat()
  })
}

const nested = /(and|or)(?=\s*\()/y

function readOperand(scanner: Scanner, collection: Collection): Filter {
  const negated = takeSign(scanner, 'not.')
  const logic = take(scanner, nested)
  skipSpaces(scanner)
  const filter = logic === undefined ? readOne(scanner, collection) : readOperands(scanner, collection, logic as Logic)
  return negated ? complementOf(filter) : filter
}

/** `age.gte.65`, `age.not.in.(1,2)`. */
function readOne(scanner: Scanner, collection: Collection): Filter {
  const field = readField(scanner, collection)
  if (!takeSign(scanner, '.')) expected(scanner, `.operator behind ${field.name}`)
  const negated = takeSign(scanner, 'not.')
  const filter = [readPredicate(scanner, field)]
  return negated ? complementOf(filter) : filter
}

// The name of a field may have dots itself.
const path = /[\w-]+(?:\.[\w-]+){0,2}/y

function readField(scanner: Scanner, collection: Collection): CollectionField {
  const { at } = scanner
  const words = take(scanner, path)?.split('.')
  if (words === undefined) expected(scanner, 'field.operator.value')
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join('.')
    const field = filterField(collection, name)
    if (field === undefined) continue
    scanner.at = at + name.length
    return field
  }
  const name = words[0]?.slice(0, LONGEST_EXCERPT) ?? ''
  return misread(at, `${name} ${noSuchField(collection, name).fault}`)
}

type ReadPredicate = (field: CollectionField, text: string) => ReadTerm

const own = comparisonNames.map((name): [string, ReadPredicate] => [
  name,
  (field, text) => readComparison(field, name, [text]),
])

const matching =
  (pattern: (text: string) => string): ReadPredicate =>
  (field, text) =>
    readTerm(field, 'regex', pattern(text))

/** By the names that PostgREST has for them, and our own. */
const predicates: ReadonlyMap<string, ReadPredicate> = new Map([
  ...own,
  ['neq', (field, text) => readTerm(field, 'ne', text)],
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
      return { fault: 'must be null, not_null, true or false' }
  }
}

const operator = /\w+/y

function readPredicate(scanner: Scanner, field: CollectionField): Term {
  const start = scanner.at
  const name = take(scanner, operator) ?? ''
  const predicate = predicates.get(name)
  if (predicate === undefined) {
    scanner.at = start
    expected(scanner, 'an operator', predicates.keys())
  }
  if (!takeSign(scanner, '.')) expected(scanner, `.value behind ${name}`)
  if (name === 'in') return listAt(scanner, field, readList(scanner))
  const { at } = scanner
  return termAt(scanner, at, predicate(field, readValue(scanner)))
}

function readList(scanner: Scanner) {
  if (!takeSign(scanner, '(')) expected(scanner, '( before the values of in')
  const texts: { readonly at: number; readonly text: string }[] = []
  do texts.push({ at: scanner.at, text: readValue(scanner) })
  while (takeSign(scanner, ','))
  if (!takeSign(scanner, ')')) expected(scanner, ') behind the values of in')
  return texts
}

const quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
const bare = /[^,)]*/y
const end = /(?=\s*[,)])/y

/** In double quotes, with a backslash before `"` and `\`; otherwise up to the next comma or parenthesis. */
function readValue(scanner: Scanner): string {
  const { at } = scanner
  if (scanner.text[at] !== '"') return literalAt(at, take(scanner, bare) ?? '')
  const text = take(scanner, quoted)
  if (text === undefined) misread(at, 'expected a " that closes this one')
  if (take(scanner, end) === undefined) expected(scanner, ', or ) behind the closing "')
  return literalAt(at, text)
    .slice(1, -1)
    .replaceAll(/\\([\s\S])/g, '$1')
}

/** All conditions as one operand, or nothing where that nests too deep or is empty. */
function writeAll(filter: Filter, depth: number): string | undefined {
  const [only, ...others] = filter
  if (only !== undefined && others.length === 0) return writeCondition(only, depth)
  return joined(
    'and',
    filter.map((each) => writeCondition(each, depth + 1)),
    depth,
  )
}

function writeCondition(condition: Condition, depth: number): string | undefined {
  if (isTerm(condition)) return writeTerm(condition, depth)
  const { any, negated } = condition
  const [only, ...others] = any
  const isOne = only !== undefined && others.length === 0
  const written = isOne
    ? joined(
        'and',
        only.map((each) => writeCondition(each, depth + 1)),
        depth,
      )
    : joined(
        'or',
        any.map((each) => writeAll(each, depth + 1)),
        depth,
      )
  return negated && written !== undefined ? `not.${written}` : written
}

function joined(logic: Logic, operands: readonly (string | undefined)[], depth: number): string | undefined {
  const isSayable = operands.length > 0 && depth < MOST_DEPTH && !operands.includes(undefined)
  return isSayable ? `${logic}(${operands.join(',')})` : undefined
}

function writeTerm({ field, operator, values }: Term, depth: number): string | undefined {
  const { name } = field
  const several = values.length > 1
  if (several && (operator === 'eq' || operator === 'ne')) {
    const texts = values.map((value) => writeValue(field, operator, value))
    return `${name}.${operator === 'ne' ? 'not.' : ''}in.(${texts.join(',')})`
  }
  const each = values.map((value) => `${name}.${writePredicate(field, operator, value)}`)
  return several ? joined('or', each, depth) : each[0]
}

function writePredicate(field: CollectionField, operator: Operator, value: Value): string {
  if (operator === 'null') return value === true ? 'is.null' : 'is.not_null'
  return `${words[operator] ?? operator}.${writeValue(field, operator, value)}`
}

const words: { readonly [O in Operator]?: string } = { ne: 'neq', regex: 'match', like: 'ilike' }

function writeValue({ kind }: CollectionField, operator: Operator, value: Value): string {
  if (operator === 'regex') return written(String(value))
  // A star is any text too.
  return written(operator === 'like' ? String(value).replaceAll('*', '\\*') : String(kind.write(value)))
}

const written = (text: string): string => (/^[\w.:-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`)

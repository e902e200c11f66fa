import { queryBounds } from '../../values/bounds.ts'
import { reason } from '../../values/faults/fault.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import type { Collection, CollectionField } from '../collection.ts'
import { literally } from '../like-pattern.ts'
import type { Filter, Term } from '../query.ts'
import { readTerm } from '../term.ts'
import { anyOf, complementOf } from './combine.ts'
import { filterField } from './comparison.ts'
import {
  dotted,
  functions,
  type Literal,
  type OdataReader,
  type Operand,
  readLiteral,
  readOperand,
} from './odata-operands.ts'
import {
  expectEnd,
  expected,
  inParentheses,
  LONGEST_EXCERPT,
  listAt,
  misread,
  type Scanner,
  skipSpaces,
  take,
  takeSign,
  termAt,
  tooDeep,
  wanted,
} from './scanner.ts'

// OData 4.01, part 2, §5.1.1.15: in > not > gt ge lt le > eq ne > and > or. Names of operators ignore case.

export function readOdata(scanner: Scanner, collection: Collection): Filter {
  const reader: OdataReader = { ...scanner, collection }
  const operand = readOr(reader)
  expectEnd(reader, 'operator-or-end', operators)
  return asFilter(operand)
}

const operators = ['and', 'or', 'eq', 'ne', 'ge', 'gt', 'le', 'lt', 'in'] as const
const words = /[a-z]+(?![\w/])/iy

/** The operator at this position, if it is one of these. */
function takeWord<W extends string>(reader: OdataReader, known: readonly W[]): W | undefined {
  skipSpaces(reader)
  const { at } = reader
  const found = take(reader, words)?.toLowerCase()
  const word = known.find((each) => each === found)
  if (word === undefined) reader.at = at
  return word
}

function readOr(reader: OdataReader): Operand {
  const first = readAnd(reader)
  if (takeWord(reader, ['or']) === undefined) return first
  const filters = [asFilter(first)]
  do filters.push(asFilter(readAnd(reader)))
  while (takeWord(reader, ['or']))
  return { at: first.at, filter: anyOf(filters) }
}

function readAnd(reader: OdataReader): Operand {
  const first = readEquality(reader)
  if (takeWord(reader, ['and']) === undefined) return first
  const filters = [asFilter(first)]
  do filters.push(asFilter(readEquality(reader)))
  while (takeWord(reader, ['and']))
  return { at: first.at, filter: filters.flat() }
}

function readEquality(reader: OdataReader): Operand {
  let left = readRelation(reader)
  for (;;) {
    const operator = takeWord(reader, ['eq', 'ne'])
    if (operator === undefined) return left
    left = { at: left.at, filter: equated(reader, left, operator, readRelation(reader)) }
  }
}

const relations = { gt: 'gt', ge: 'gte', lt: 'lt', le: 'lte' } as const
const turned = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' } as const

function readRelation(reader: OdataReader): Operand {
  let left = readUnary(reader)
  for (;;) {
    const word = takeWord(reader, ['gt', 'ge', 'lt', 'le'])
    if (word === undefined) return left
    const { field, value, isTurned } = sides(left, readUnary(reader))
    if (field.folded) misread(field.at, reason('equality-only'))
    if (isNull(value)) wanted(value.at, 'value-not-null')
    const operator = isTurned ? turned[relations[word]] : relations[word]
    const read = readTerm(field.field, operator, literalOf(field.field.kind, value))
    left = { at: left.at, filter: [termAt(reader, value.at, read)] }
  }
}

/** The field and the value of a comparison, in either order. */
function sides(left: Operand, right: Operand) {
  if ('field' in left && 'literal' in right) return { field: left, value: right, isTurned: false }
  if ('literal' in left && 'field' in right) return { field: right, value: left, isTurned: true }
  if ('field' in left && 'field' in right) wanted(right.at, 'value-not-field', { name: right.field.name })
  return wanted(left.at, 'field-and-value')
}

function equated(reader: OdataReader, left: Operand, operator: 'eq' | 'ne', right: Operand): Filter {
  // `contains(name,'a') eq true` means the same as `contains(name,'a')`.
  if ('filter' in left || 'filter' in right) {
    const [filter, other] = 'filter' in left ? [left.filter, right] : [asFilter(right), left]
    const truth = 'literal' in other && !other.quoted ? other.literal : undefined
    if (truth !== 'true' && truth !== 'false') wanted(other.at, 'truth')
    return (truth === 'true') === (operator === 'eq') ? filter : complementOf(filter)
  }
  const { field, value } = sides(left, right)
  if (isNull(value)) return [termAt(reader, value.at, readTerm(field.field, 'null', String(operator === 'eq')))]
  if (!field.folded) {
    return [termAt(reader, value.at, readTerm(field.field, operator, literalOf(field.field.kind, value)))]
  }
  if (!value.quoted) wanted(value.at, 'quoted-text')
  const same = [termAt(reader, value.at, readTerm(field.field, 'like', literally(value.literal)))]
  return operator === 'eq' ? same : complementOf(same)
}

const isNull = (value: Literal): boolean => !value.quoted && value.literal === 'null'

function readUnary(reader: OdataReader): Operand {
  skipSpaces(reader)
  const { at } = reader
  let nots = 0
  while (takeWord(reader, ['not'])) {
    if (nots++ > 0 && reader.depth + nots > queryBounds.depth) misread(at, tooDeep)
  }
  const operand = readMembership(reader)
  if (nots === 0) return operand
  if ('field' in operand && operand.field.kind.name !== 'boolean') {
    wanted(operand.at, 'opening-behind-not')
  }
  const filter = asFilter(operand)
  return { at, filter: nots % 2 === 0 ? filter : complementOf(filter) }
}

/** `age in (30,41)`. */
function readMembership(reader: OdataReader): Operand {
  const operand = readPrimary(reader)
  if (takeWord(reader, ['in']) === undefined) return operand
  if (!('field' in operand) || operand.folded) return wanted(operand.at, 'field-before', { name: 'in' })
  const { field } = operand
  skipSpaces(reader)
  const { at } = reader
  if (!takeSign(reader, '(')) expected(reader, 'before-values', { sign: '(', name: 'in' })
  const values = readLiterals(reader)
  if (!takeSign(reader, ')')) expected(reader, 'behind-value', { sign: ')', name: 'in' })
  const listed = values.filter((value) => !isNull(value))
  const texts = listed.map((value) => ({ at: value.at, text: literalOf(field.kind, value) }))
  const filters: Filter[] = texts.length === 0 ? [] : [[listAt(reader, field, texts)]]
  if (texts.length < values.length) filters.push([termAt(reader, at, readTerm(field, 'null', 'true'))])
  return { at: operand.at, filter: anyOf(filters) }
}

function readLiterals(reader: OdataReader) {
  const values: Literal[] = []
  do {
    skipSpaces(reader)
    values.push(readLiteral(reader) ?? expected(reader, 'value'))
    skipSpaces(reader)
  } while (takeSign(reader, ','))
  return values
}

function readPrimary(reader: OdataReader): Operand {
  skipSpaces(reader)
  const { at } = reader
  if (reader.text[at] === '(') return { ...inParentheses(reader, () => readOr(reader), operators), at }
  const several = take(reader, severalValues)
  return several === undefined ? readOperand(reader, functions) : readAny(reader, several.slice(0, -'/any'.length), at)
}

const severalValues = /[a-z_][\w-]*(?:\/[\w-]+)*\/any(?=\()/iy
const itemName = /[a-z_]\w*(?=\s*:)/iy

/** `own/tags/any(t:t eq 'a' or t eq 'b')`: one of several values is one of these. */
function readAny(reader: OdataReader, path: string, at: number): Operand {
  const field = filterField(reader.collection, dotted(path))
  if (!field?.kind.unordered) return misread(at, reason('unsupported', { wants: 'any', name: path }))
  return inParentheses(reader, () => {
    skipSpaces(reader)
    const name = take(reader, itemName) ?? expected(reader, 'item')
    skipSpaces(reader)
    takeSign(reader, ':')
    const outer = reader.item
    reader.item = { name, field }
    const filter = asFilter(readOr(reader))
    reader.item = outer
    return isAnyOf(filter, field)
      ? { at, filter }
      : misread(at, reason('unsupported', { wants: 'within-any', name: path }))
  })
}

/** Whether a condition on one of several values means the same for all of them: only equality does. */
const isAnyOf = (filter: Filter, field: CollectionField): boolean =>
  filter.length === 1 &&
  filter.every((each) =>
    'any' in each
      ? !each.negated && each.any.every((one) => isAnyOf(one, field))
      : each.field === field && each.operator === 'eq',
  )

/** Types are not mixed: `age eq '18'` could never match. */
function literalOf({ name }: Kind<unknown>, { at, literal, quoted }: Literal): string {
  const isText = name === 'text' || name === 'choice'
  if (isText && !quoted) wanted(at, 'quoted-example', { example: `'${literal.slice(0, LONGEST_EXCERPT)}'` })
  const isPlain = name === 'integer' || name === 'amount' || name === 'boolean'
  if (isPlain && quoted) wanted(at, name === 'boolean' ? 'bare-truth' : 'bare-number')
  return literal
}

/** A boolean field is a condition by itself. */
function asFilter(operand: Operand): Filter {
  if ('filter' in operand) return operand.filter
  if ('field' in operand && operand.field.kind.name === 'boolean') {
    const term: Term = { field: operand.field, operator: 'eq', values: [true] }
    return [term]
  }
  return wanted(operand.at, 'comparison')
}

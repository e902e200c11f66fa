import { queryBounds } from '../../values/bounds.ts'
import { asText } from '../../values/json/exact-numbers.ts'
import type { CollectionField } from '../collection.ts'
import { anyOf, complementOf } from '../expressions/combine.ts'
import { type Logic, type LogicReading, readOperands } from '../expressions/logic.ts'
import { expectEnd, readExpression, skipSpaces } from '../expressions/scanner.ts'
import { withPlainStars } from '../expressions/wildcards.ts'
import { type Condition, type Filter, isTerm, type Operator, type Term, type Value } from '../query.ts'
import type { Dialect } from './dialect.ts'

const combined: Omit<LogicReading<Filter>, 'scanner' | 'collection'> = {
  term: (term) => [term],
  all: (operands) => operands.flat(),
  any: anyOf,
  not: complementOf,
}

/** The parameters that hold a whole filter. */
export const logicNames: ReadonlyMap<string, { readonly logic: Logic; readonly negated: boolean }> = new Map([
  ['or', { logic: 'or', negated: false }],
  ['and', { logic: 'and', negated: false }],
  ['not.or', { logic: 'or', negated: true }],
  ['not.and', { logic: 'and', negated: true }],
])

/** `or=(age.gte.65,not.and(country.eq.DE,name.like.A*))`, as in PostgREST. decisions/0028 */
export const logicParameters: Dialect = {
  name: 'logic parameters',
  note: () =>
    '`or=(…)`, `and=(…)`, `not.or=(…)` and `not.and=(…)` hold comparisons `field.operator.value`, separated by commas and nested, in PostgREST’s spelling; double quotes enclose a value with commas or parentheses.',
  holders: [...logicNames.keys()],
  read(collection, { name, value }) {
    const asked = logicNames.get(name)
    if (asked === undefined) return undefined
    return readExpression(value ?? '', (scanner) => {
      skipSpaces(scanner)
      const filter = readOperands({ scanner, collection, ...combined }, asked.logic)
      expectEnd(scanner, 'end')
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

/** All conditions as one operand; undefined if that nests too deep or is empty. */
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
  const isSayable = operands.length > 0 && depth < queryBounds.depth && !operands.includes(undefined)
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
  if (operator === 'unknown') return `unknown.${value}`
  return `${words[operator] ?? operator}.${writeValue(field, operator, value)}`
}

const words: { readonly [O in Operator]?: string } = { ne: 'neq', regex: 'match', like: 'ilike' }

function writeValue({ kind }: CollectionField, operator: Operator, value: Value): string {
  if (operator === 'regex') return written(String(value))
  return written(operator === 'like' ? withPlainStars(String(value)) : asText(kind.write(value)))
}

const written = (text: string): string => (/^[\w.:-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`)

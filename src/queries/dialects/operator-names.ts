import { fault } from '../../values/faults/fault.ts'
import { type ComparisonName, filterField, noSuchField } from '../expressions/comparison.ts'
import type { Operator } from '../query.ts'
import { readTerm } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

const operatorName = /^([^<>!]*)(>=|<=|!=|>|<|!)(.*)$/s

/** Signs at the end of a name: the `=` before the value belongs to the operator or is written twice. */
const withValue = new Map<string, Operator>([
  ['>', 'gte'],
  ['>=', 'gte'],
  ['<', 'lte'],
  ['<=', 'lte'],
  ['!', 'ne'],
  ['!=', 'ne'],
])

/** Signs inside a name, followed by the value. */
const withOperand = new Map<string, Operator>([
  ['>', 'gt'],
  ['>=', 'gte'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['!=', 'ne'],
])

/** Clients encode all, some or none of an operator, and some add a `=` to every name. */
const spellings: { readonly [N in ComparisonName]?: readonly string[] } = {
  ne: ['!=', '%21=', '!%3D=', '!%3D'],
  gt: ['>', '%3E'],
  gte: ['>=', '%3E=', '%3E%3D=', '%3E%3D'],
  lt: ['<', '%3C'],
  lte: ['<=', '%3C=', '%3C%3D=', '%3C%3D'],
}

/** `age>=18`, `age>18`, `age!=18`, in every percent-encoded spelling. */
export const operatorNames: Dialect = {
  name: 'operator names',
  note: ({ key }) =>
    `Names with operators work too: \`${key}>=5\` is the name \`${key}>\`, \`${key}!=5\` the name \`${key}!\`, and \`${key}>5\` is a name without a value.`,
  read(collection, parameter) {
    const found = operatorName.exec(parameter.name)
    if (found === null) return undefined
    const [, name = '', sign = '', operand = ''] = found
    const field = filterField(collection, name)
    if (field === undefined) return noSuchField(collection, name)
    const isBehind = operand === '' && parameter.value !== undefined
    const operator = (isBehind ? withValue : withOperand).get(sign)
    if (operator === undefined) return fault('sign-needs-equals', { sign, example: `${name}${sign}=${operand}` })
    if (isBehind) return readTerm(field, operator, parameter.value)
    if (parameter.value) return fault('two-values')
    return readTerm(field, operator, operand)
  },
  spell(_, comparison) {
    const signs = spellings[comparison.operator] ?? []
    return signs.map((sign) => `${comparison.field.name}${sign}${encoded(comparison)}`)
  },
}

import { fault } from '../../values/kind.ts'
import { type Dialect, filterField } from '../dialect.ts'
import type { Operator } from '../query.ts'
import { readTerm } from '../term.ts'
import { noSuchField } from '../unknown-name.ts'

const operatorName = /^([^<>!]*)(>=|<=|!=|>|<|!)(.*)$/s

/** With a value behind the name: the `=` that splits them belongs to the operator, or was written twice. */
const withValue = new Map<string, Operator>([
  ['>', 'gte'],
  ['>=', 'gte'],
  ['<', 'lte'],
  ['<=', 'lte'],
  ['!', 'ne'],
  ['!=', 'ne'],
])

/** With the value inside the name, where no `=` split it off. */
const withOperand = new Map<string, Operator>([
  ['>', 'gt'],
  ['>=', 'gte'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['!=', 'ne'],
])

/** `age>=18`, `age>18`, `age!=18`, in every spelling that percent-encoding gives them. */
export const operatorNames: Dialect = {
  name: 'operator names',
  read(collection, parameter) {
    const found = operatorName.exec(parameter.name)
    if (found === null) return undefined
    const [, name = '', sign = '', operand = ''] = found
    const field = filterField(collection, name)
    if (field === undefined) return noSuchField(collection, name)
    const isBehind = operand === '' && parameter.value !== undefined
    const operator = (isBehind ? withValue : withOperand).get(sign)
    if (operator === undefined) return fault(`${sign} needs an =, as in ${name}${sign}=${operand}`)
    if (isBehind) return readTerm(field, operator, parameter.value)
    // Some clients write a `=` behind every name.
    if (parameter.value) return fault('has a value both in the name and behind it')
    return readTerm(field, operator, operand)
  },
  names: () => [],
}

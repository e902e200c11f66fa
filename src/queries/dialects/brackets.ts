import { fault, near } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { comparisonNames, filterField, namedIn, noSuchField } from '../expressions/comparison.ts'
import { listed, needsValue } from '../query-string.ts'
import { settingNames } from '../settings.ts'
import { readComparison, readList, readTerm } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

const bracketed = /^([^[\]]+)((?:\[[^[\]]*\])+)$/
const elsewhere = 'filter'
/** `age[]`, `age[0]`: the index has no meaning here. */
const isElement = /^\d*$/

/** `age[gte]=18`, `age[]=1&age[]=2`, `filter[age][gte]=18`, `filter[age]=1,2`. decisions/0028 */
export const brackets: Dialect = {
  name: 'brackets',
  note: ({ key, relations }) => {
    const related = [...relations.values()]
      .filter(({ kind }) => kind === 'one')
      .map(({ name }) => ` \`${name}[id]=5\`.`)
    return `Brackets: \`${key}[gt]=5\`, \`${key}[]=5\`, \`filter[${key}][gt]=5\`, \`filter[${key}]=5,6\`.${related.join('')}`
  },
  read(collection, parameter) {
    const found = bracketed.exec(parameter.name)
    if (found === null) return undefined
    const [, first = '', rest = ''] = found
    const inside = rest.slice(1, -1).split('][')
    const words = first === elsewhere ? inside : [first, ...inside]
    // `customer[country]` is `customer.country`, `customer[own][branch]` is `customer.own.branch`.
    const [reached] = [3, 2, 1].flatMap((length) => {
      const field = filterField(collection, words.slice(0, length).join('.'))
      return field === undefined ? [] : [{ field, further: words.slice(length) }]
    })
    if (reached === undefined)
      return settingNames.has(first) ? undefined : noSuchField(collection, namedIn(collection, words))
    const { field, further } = reached
    const [operator, ...more] = further
    if (more.length > 0) return fault('too-many-brackets', { name: field.name })
    if (parameter.value === undefined) return needsValue
    // JSON:API's own recommendation: the values of a filter are separated by commas.
    if (operator === undefined && first === elsewhere) return readList(field, listed(parameter))
    if (operator === undefined || isElement.test(operator)) return readTerm(field, 'eq', parameter.value)
    const comparison = comparisonNames.find((each) => each === operator)
    if (comparison === undefined) {
      return fault('unknown-operator', { operator: `[${operator}]`, ...near(nearest(operator, comparisonNames)) })
    }
    return readComparison(field, comparison, comparison === 'in' ? listed(parameter) : [parameter.value])
  },
  isList({ name }) {
    const last = name.slice(name.lastIndexOf('[') + 1, -1)
    const isOperator = isElement.test(last) || comparisonNames.some((each) => each === last)
    return bracketed.test(name) && (last === 'in' || (name.startsWith(`${elsewhere}[`) && !isOperator))
  },
  spell(_, comparison) {
    const { field, operator } = comparison
    const [outer = '', ...members] = field.name.split('.')
    const inside = members.map((member) => `[${member}]`).join('')
    const related = inside === '' ? [] : [[`${outer}${inside}`, `${elsewhere}[${outer}]${inside}`]]
    const names = [[field.name, `${elsewhere}[${field.name}]`], ...related].flatMap(([own = '', held = '']) => {
      const compared = [`${own}[${operator}]`, `${held}[${operator}]`]
      const equal = operator === 'eq' ? [`${own}[]`, ...(own === field.name ? [] : [own])] : []
      const listed = operator === 'in' || operator === 'eq' ? [held] : []
      return [...compared, ...equal, ...listed]
    })
    return names.map((name) => `${name}=${encoded(comparison)}`)
  },
}

import { fault } from '../../values/kinds/kind.ts'
import { didYouMean } from '../../values/nearest.ts'
import { listed } from '../query-string.ts'
import { settingNames } from '../settings.ts'
import { readComparison, readList, readTerm } from '../term.ts'
import { comparisonNames, type Dialect, encoded, filterField, noSuchField } from './dialect.ts'

const bracketed = /^([^[\]]+)((?:\[[^[\]]*\])+)$/
const elsewhere = 'filter'

/** `age[gte]=18`, `age[]=1&age[]=2`, `filter[age][gte]=18`, `filter[age]=1,2`. decisions/0028 */
export const brackets: Dialect = {
  name: 'brackets',
  note: ({ key }) => `Brackets: \`${key}[gt]=5\`, \`${key}[]=5\`, \`filter[${key}][gt]=5\`, \`filter[${key}]=5,6\`.`,
  read(collection, parameter) {
    const found = bracketed.exec(parameter.name)
    if (found === null) return undefined
    const [, first = '', rest = ''] = found
    const inside = rest.slice(1, -1).split('][')
    const isBehind = first === elsewhere
    const [name = '', operator, ...more] = isBehind ? inside : [first, ...inside]
    const field = filterField(collection, name)
    if (field === undefined) return settingNames.has(first) ? undefined : noSuchField(collection, name)
    if (more.length > 0) return fault(`has too many brackets behind ${name}`)
    if (parameter.value === undefined) return fault('needs a value')
    // JSON:API's own recommendation: the values of a filter are separated by commas.
    if (operator === undefined) return readList(field, listed(parameter))
    // The place of an element says nothing here.
    if (/^\d*$/.test(operator)) return readTerm(field, 'eq', parameter.value)
    const comparison = comparisonNames.find((each) => each === operator)
    if (comparison === undefined) {
      return fault(`has no operator [${operator}]${didYouMean(operator, comparisonNames)}`)
    }
    return readComparison(field, comparison, comparison === 'in' ? listed(parameter) : [parameter.value])
  },
  isList: ({ name }) => name.endsWith('[in]') || /^filter\[[^[\]]*\]$/.test(name),
  spell(_, comparison) {
    const { field, operator } = comparison
    const names = [`${field.name}[${operator}]`, `${elsewhere}[${field.name}][${operator}]`]
    const more = operator === 'eq' ? [`${field.name}[]`] : []
    const lists = operator === 'in' || operator === 'eq' ? [`${elsewhere}[${field.name}]`] : []
    return [...names, ...more, ...lists].map((name) => `${name}=${encoded(comparison)}`)
  },
}

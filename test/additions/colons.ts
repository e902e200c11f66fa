import { type Dialect, encoded } from '../../src/queries/dialects/dialect.ts'
import { comparisonNames, filterField } from '../../src/queries/expressions/comparison.ts'
import { readTerm } from '../../src/queries/term.ts'

/** A dialect: `age:gte=18` */
export const colons: Dialect = {
  name: 'colons',
  read(collection, { name, value }) {
    const [first = '', second] = name.split(':')
    const operator = comparisonNames.find((each) => each === second)
    const field = filterField(collection, first)
    return operator === undefined || operator === 'in' ? undefined : field && readTerm(field, operator, value)
  },
  spell: (_, comparison) =>
    comparison.operator === 'in' ? [] : [`${comparison.field.name}:${comparison.operator}=${encoded(comparison)}`],
}

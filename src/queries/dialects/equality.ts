import { filterField } from '../expressions/comparison.ts'
import { readTerm } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

/** `age=18`. */
export const equality: Dialect = {
  name: 'equality',
  read(collection, { name, value }) {
    const field = filterField(collection, name)
    return field && readTerm(field, 'eq', value)
  },
  spell: (_, comparison) => (comparison.operator === 'eq' ? [`${comparison.field.name}=${encoded(comparison)}`] : []),
}

import { type Dialect, filterable, filterField } from '../dialect.ts'
import { readTerm } from '../term.ts'

/** `age=18`. */
export const equality: Dialect = {
  name: 'equality',
  read(collection, { name, value }) {
    const field = filterField(collection, name)
    return field && readTerm(field, 'eq', value)
  },
  names: (collection) => filterable(collection).map(({ name }) => name),
}

import { filterable, filterField, type QueryForm } from '../form.ts'
import { readTerm } from '../term.ts'

/** `age=18`. */
export const equality: QueryForm = {
  name: 'equality',
  read(collection, { name, value }) {
    const field = filterField(collection, name)
    return field && readTerm(field, 'eq', value)
  },
  names: (collection) => filterable(collection).map(({ name }) => name),
}

import { filterField } from '../expressions/comparison.ts'
import { settingNames } from '../settings.ts'
import { readTerm } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

/** `age=18`. */
export const equality: Dialect = {
  name: 'equality',
  read(collection, { name, value }) {
    const field = filterField(collection, name)
    return field && readTerm(field, 'eq', value)
  },
  /** A setting has its name before a field: `group=…` makes groups. */
  spell: (_, comparison) =>
    comparison.operator === 'eq' && !settingNames.has(comparison.field.name)
      ? [`${comparison.field.name}=${encoded(comparison)}`]
      : [],
}

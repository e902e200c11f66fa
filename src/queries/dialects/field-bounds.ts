import type { Field } from '../collection.ts'
import { type Dialect, filterable, filterField } from '../dialect.ts'
import { readTerm } from '../term.ts'

/** `min-age=18`, `max-age=30`: inclusive, on every numeric field. */
export const fieldBounds: Dialect = {
  name: 'bounds per field',
  read(collection, { name, value }) {
    const bound = name.slice(0, 4)
    if (bound !== 'min-' && bound !== 'max-') return undefined
    const field = filterField(collection, name.slice(4))
    if (field === undefined || !isNumeric(field)) return undefined
    return readTerm(field, bound === 'min-' ? 'gte' : 'lte', value)
  },
  names: (collection) =>
    filterable(collection)
      .filter(isNumeric)
      .flatMap(({ name }) => [`min-${name}`, `max-${name}`]),
}

const isNumeric = ({ kind }: Field): boolean => kind.name === 'integer' || kind.name === 'amount'

import { isNumeric } from '../../values/kinds/kind.ts'
import { filterField } from '../expressions/comparison.ts'
import { readTerm } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

const bounds = { 'min-': 'gte', 'max-': 'lte' } as const

/** `min-age=18`, `max-age=30`: inclusive, on every numeric field. */
export const fieldBounds: Dialect = {
  name: 'bounds per field',
  read(collection, { name, value }) {
    const bound = name.slice(0, 4)
    if (bound !== 'min-' && bound !== 'max-') return undefined
    const field = filterField(collection, name.slice(4))
    return field && isNumeric(field.kind) ? readTerm(field, bounds[bound], value) : undefined
  },
  spell(_, comparison) {
    const { field, operator } = comparison
    if (!isNumeric(field.kind) || (operator !== 'gte' && operator !== 'lte')) return []
    return [`${operator === 'gte' ? 'min' : 'max'}-${field.name}=${encoded(comparison)}`]
  },
}

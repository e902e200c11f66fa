import { fieldOf } from '../collection.ts'
import type { Operator } from '../query.ts'
import { readTerm } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

const bounds = new Map<string, Operator>([
  ['gt', 'gt'],
  ['lt', 'lt'],
  ['min', 'gte'],
  ['max', 'lte'],
])

/** `gt=5`, `lt=9` strict and `min=5`, `max=9` inclusive, on the collection's key. */
export const collectionBounds: Dialect = {
  name: 'bounds on the collection',
  note: ({ key }) => `\`gt\`, \`lt\`, \`min\` and \`max\` are on \`${key}\`.`,
  read(collection, { name, value }) {
    const operator = bounds.get(name)
    return operator && readTerm(fieldOf(collection, collection.key), operator, value)
  },
  spell({ key }, comparison) {
    if (comparison.field.name !== key) return []
    const names = [...bounds].filter(([, operator]) => operator === comparison.operator)
    return names.map(([name]) => `${name}=${encoded(comparison)}`)
  },
}

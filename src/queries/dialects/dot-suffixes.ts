import { fault, near } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { comparisonNames, filterField, noSuchField } from '../expressions/comparison.ts'
import { listed, needsValue } from '../query-string.ts'
import { readComparison } from '../term.ts'
import { type Dialect, encoded } from './dialect.ts'

/** `age.gte=18`, `age.in=1,2`, `name.regex=^A`, `age.null=true`: the last dot splits. */
export const dotSuffixes: Dialect = {
  name: 'dot suffixes',
  read(collection, parameter) {
    const { name, value } = parameter
    const dot = name.lastIndexOf('.')
    // A field's own name may have a dot: `customer.country`.
    if (dot === -1 || filterField(collection, name) !== undefined) return undefined
    const suffix = name.slice(dot + 1)
    const comparison = comparisonNames.find((name) => name === suffix)
    const field = filterField(collection, name.slice(0, dot))
    if (field === undefined) return comparison && noSuchField(collection, name.slice(0, dot))
    if (comparison === undefined) {
      const known = nearest(suffix, comparisonNames)
      return fault('unknown-operator', { operator: `.${suffix}`, ...near(known && `.${known}`) })
    }
    if (value === undefined) return needsValue
    return readComparison(field, comparison, comparison === 'in' ? listed(parameter) : [value])
  },
  isList: ({ name }) => name.endsWith('.in'),
  spell: (_, comparison) => [`${comparison.field.name}.${comparison.operator}=${encoded(comparison)}`],
}

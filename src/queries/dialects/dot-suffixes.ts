import { fault } from '../../values/kind.ts'
import { type Dialect, filterField } from '../dialect.ts'
import { listed } from '../parameters.ts'
import type { Operator } from '../query.ts'
import { readList, readTerm } from '../term.ts'
import { didYouMean, noSuchField } from '../unknown-name.ts'

const suffixes = new Map<string, Operator | 'in'>([
  ['eq', 'eq'],
  ['ne', 'ne'],
  ['gt', 'gt'],
  ['gte', 'gte'],
  ['lt', 'lt'],
  ['lte', 'lte'],
  ['in', 'in'],
  ['regex', 'regex'],
  ['null', 'null'],
])

/** `age.gte=18`, `age.in=1,2`, `name.regex=^A`, `age.null=true`: the last dot splits. */
export const dotSuffixes: Dialect = {
  name: 'dot suffixes',
  read(collection, parameter) {
    const { name, value } = parameter
    const dot = name.lastIndexOf('.')
    if (dot === -1) return undefined
    const suffix = name.slice(dot + 1)
    const comparison = suffixes.get(suffix)
    const field = filterField(collection, name.slice(0, dot))
    if (field === undefined) return comparison && noSuchField(collection, name.slice(0, dot))
    if (comparison === undefined) return fault(`has no operator .${suffix}${didYouMean(suffix, suffixes.keys(), '.')}`)
    return comparison === 'in' && value !== undefined
      ? readList(field, listed(parameter))
      : readTerm(field, comparison === 'in' ? 'eq' : comparison, value)
  },
  names: () => [],
}

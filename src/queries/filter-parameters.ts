import type { Collection, CollectionField } from './collection.ts'
import { type ComparisonName, comparisonNames, filterable } from './dialects/dialect.ts'
import { dialects } from './dialects/dialects.ts'
import { readQueryString } from './query-string.ts'

/** A name that a filter can have in a query, and what the parameter is compared with. */
export interface FilterParameter {
  readonly name: string
  readonly field: CollectionField
  readonly operator: ComparisonName
  /** The value follows within the name, as in `age>18`. */
  readonly holdsValue: boolean
  /** Whether its dialect spells the comparison so first. */
  readonly usual: boolean
}

/** Every name that filters on a collection can have, as the dialects spell them. */
export function filterParameters(collection: Collection): readonly FilterParameter[] {
  const found = new Map<string, FilterParameter>()
  for (const field of filterable(collection)) {
    for (const operator of comparisonNames) {
      for (const { spell } of dialects) {
        const spelled = spell(collection, { field, operator, texts: ['1'] }).join('&')
        for (const [at, { name, value }] of readQueryString(spelled).parameters.entries()) {
          const holdsValue = value === undefined
          const own = holdsValue ? name.slice(0, -1) : name
          const known = found.get(`${own} ${holdsValue}`)
          if (!known) found.set(`${own} ${holdsValue}`, { name: own, field, operator, holdsValue, usual: at === 0 })
        }
      }
    }
  }
  return [...found.values()]
}

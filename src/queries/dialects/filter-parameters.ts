import { type Collection, type CollectionField, filterable } from '../collection.ts'
import { type ComparisonName, comparisonNames } from '../expressions/comparison.ts'
import { readQueryString } from '../query-string.ts'
import { dialects } from './dialects.ts'

/** The name of a filter parameter and the comparison that it states. */
export interface FilterParameter {
  readonly name: string
  readonly field: CollectionField
  readonly operator: ComparisonName
  /** The value is part of the name, as in `age>18`. */
  readonly holdsValue: boolean
  /** Whether it is its dialect's usual spelling. */
  readonly usual: boolean
}

/** Every name of a filter parameter of a collection, in all dialects. */
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

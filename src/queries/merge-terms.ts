import { compareValues } from './compare-values.ts'
import type { Filter, Term, Value } from './query.ts'

/** One term for each field and operator: the same comparison given several times means any of the values. */
export function mergeTerms(terms: readonly Term[]): Filter {
  const merged = new Map<string, Term>()
  for (const term of terms) {
    const of = `${term.field.name} ${term.operator}`
    const known = merged.get(of)
    const values = known === undefined ? term.values : [...known.values, ...term.values]
    merged.set(of, { ...term, values: reduce(term, values) })
  }
  return [...merged.values()]
}

/** Any of several bounds is the widest of them. */
function reduce({ field: { kind }, operator }: Term, values: readonly Value[]): readonly Value[] {
  if (operator === 'gt' || operator === 'gte') return [values.reduce((a, b) => (compareValues(kind, b, a) < 0 ? b : a))]
  if (operator === 'lt' || operator === 'lte') return [values.reduce((a, b) => (compareValues(kind, b, a) > 0 ? b : a))]
  return [...new Set(values)]
}

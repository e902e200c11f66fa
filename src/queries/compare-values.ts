import type { Kind } from '../values/kind.ts'
import type { Value } from './query.ts'

/** The order of two values of one kind as both stores have it: texts by code point, choices as declared. Not for null. */
export function compareValues({ ranks }: Kind<unknown>, a: Value, b: Value): number {
  if (ranks !== undefined) return (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)
  // UTF-8 keeps the order of code points; the order of JavaScript's own comparison is that of UTF-16 units.
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

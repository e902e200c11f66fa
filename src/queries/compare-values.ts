import type { Value } from './query.ts'

/** The order of two values of one field as both stores have it: texts by code point. Not for null. */
export function compareValues(a: Value, b: Value): number {
  // UTF-8 keeps the order of code points; the order of JavaScript's own comparison is that of UTF-16 units.
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

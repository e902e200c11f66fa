import type { Fault } from '../values/members.ts'
import { type Cents, centsToText } from '../values/number.ts'
import { LARGEST_TOTAL } from './deal.ts'

/** Adds to a total that must stay an exact number of cents. */
export function addTo<T>(
  total: Cents,
  added: Cents,
  pointer: string,
  change: (total: Cents) => T,
): T | { readonly faults: readonly Fault[] } {
  if (total + added <= LARGEST_TOTAL) return change(total + added)
  return { faults: [{ pointer, detail: `would take the total beyond ${centsToText(LARGEST_TOTAL)}` }] }
}

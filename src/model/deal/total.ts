import type { Json } from '../../values/kinds/kind.ts'
import { amountToText, type Thousandths, type Total } from '../../values/kinds/money.ts'
import type { Fault } from '../../values/members.ts'
import { deal, LARGEST_TOTAL } from './deal.ts'

/** Adds to a total that must stay an exact number of thousandths. */
export function addTo<T>(
  total: Total,
  added: Thousandths,
  pointer: string,
  change: (total: Total) => T,
): T | { readonly faults: readonly Fault[] } {
  // An earlier release stored larger totals: adding nothing to one is allowed.
  if (added === 0) return change(total)
  if (typeof total === 'number' && total + added <= LARGEST_TOTAL) return change(total + added)
  return { faults: [{ pointer, detail: `would take the total beyond ${amountToText(LARGEST_TOTAL)}` }] }
}

/** What must be added to come to a larger total, as a parameter; nothing if it is not larger. */
export const difference = (total: Total, wanted: Total): Json =>
  deal.kinds.price.write(Math.max(0, Number(wanted) - Number(total)))

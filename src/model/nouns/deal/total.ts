import type { Fault } from '../../../values/faults/fault.ts'
import type { Json } from '../../../values/json/json.ts'
import { amountToText, type Thousandths, type Total } from '../../../values/kinds/money.ts'
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
  return { faults: [{ code: 'total-too-large', with: { max: amountToText(LARGEST_TOTAL) }, at: { pointer } }] }
}

/** The amount to add for a larger total, as a parameter; undefined if the total is not larger. */
export const difference = (total: Total, wanted: Total): Json =>
  deal.kinds.price.write(Math.max(0, Number(wanted) - Number(total)))

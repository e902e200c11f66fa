import type { Fault } from '../../../values/faults/fault.ts'
import { currency } from '../../../values/kinds/codes.ts'
import { userName } from '../../../values/kinds/kind.ts'
import { amount, decimalsFault, LARGEST_AMOUNT } from '../../../values/kinds/money.ts'
import { ordinal } from '../../../values/kinds/number.ts'
import { nameText } from '../../../values/kinds/text.ts'
import { date, instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, type ThingOf } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'

/** The amount that a person is to win in a range of days. decisions/0050 */
export const target = defineResource({
  name: 'target',
  plural: 'targets',
  path: '/targets',
  fields: {
    id: assigned(uuid),
    /** As the owner of deals is written. */
    user: given(userName(nameText({ min: 1, max: 200 }))),
    from: given(date),
    /** The last day. */
    to: given(date),
    amount: given(amount({ min: 1, max: LARGEST_AMOUNT })),
    currency: given(currency, 'EUR'),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  indexed: ['id', 'from'],
  scopes: ['user'],
  markings: [],
  forms: ['resource', 'custom-method', 'attribute-update', 'command', 'command-endpoint'],
  put: 'anew',
  roles: { reads: 'reader', writes: 'admin' },
  moneyIn: 'currency',
  example: {
    id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a15',
    user: 'mila',
    from: '2027-01-01',
    to: '2027-03-31',
    amount: 120_000_000,
  },
})

export type SalesTarget = ThingOf<typeof target.fields>

/** The days are in order, and the amount is one of its currency, whichever of them is sent. */
export function withOrderedDays<C extends Partial<SalesTarget>>(
  before: SalesTarget,
  change: C,
): C | { readonly faults: readonly Fault[] } {
  const { from, to, amount, currency } = { ...before, ...change }
  const tooFine = decimalsFault(amount, currency)
  const faults: readonly Fault[] = [
    ...(to < from ? [{ code: 'too-early', with: { min: from, wants: 'from' }, at: { pointer: '/to' } } as const] : []),
    ...(tooFine === undefined ? [] : [{ ...tooFine, at: { pointer: '/amount' } }]),
  ]
  return faults.length > 0 ? { faults } : change
}

import { defineChange, defineCreation, defineRemoval } from '../../declaration/usual-operations.ts'
import { target, withOrderedDays } from './target.ts'

/** Everything that can be done with a target. */
export const targetOperations = [
  defineCreation(target, {
    examples: [
      { user: 'mila', from: '2027-01-01', to: '2027-03-31', amount: 120_000, currency: 'EUR' },
      { user: 'Mila Sanz', from: '2027-01-01', to: '2027-12-31', amount: 500_000, currency: 'USD' },
    ],
    apply: withOrderedDays,
  }),
  defineChange(target, { noun: 'changes', examples: [{ amount: 130_000 }], apply: withOrderedDays }),
  defineRemoval(target),
] as const

import { defineChange, defineCreation, defineRemoval } from '../../declaration/usual-operations.ts'
import { rate } from './rate.ts'

/** Everything that can be done with a rate. */
export const rateOperations = [
  defineCreation(rate, {
    examples: [
      { currency: 'USD', perUnit: 1.0837, since: '2026-11-01' },
      { currency: 'KWD', perUnit: 0.33271905, since: '2026-11-01' },
    ],
  }),
  defineChange(rate, { noun: 'changes', examples: [{ perUnit: 1.0841 }] }),
  defineRemoval(rate),
] as const

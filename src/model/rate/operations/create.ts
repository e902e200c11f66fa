import { defineOperation } from '../../operation.ts'
import { rate } from '../rate.ts'

export const create = defineOperation({
  on: rate,
  name: 'create',
  title: 'Create a rate',
  words: { participles: [], noun: '', action: 'CreateRate', event: 'rate.created' },
  group: 'Rates',
  sentence: () => ({ done: 'created the rate' }),
  to: 'nothing',
  params: ({ create }) => create,
  examples: [
    { currency: 'USD', perUnit: 1.0837, since: '2026-11-01' },
    { currency: 'KWD', perUnit: 0.33271905, since: '2026-11-01' },
  ],
  allowed: [],
  changes: [],
  apply: (_blank, fields) => fields,
})

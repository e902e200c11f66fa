import { optional } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { firstPlace, placeFaults, usualPlace } from '../place.ts'

export const create = defineOperation({
  on: deal,
  name: 'create',
  title: 'Create a deal',
  words: { participles: [], noun: '', action: 'CreateDeal', event: 'deal.created' },
  group: 'Deals',
  sentence: ({ price }, say) => ({ done: 'created the deal for {price}', with: { price: say.amount(price) } }),
  to: 'nothing',
  // The default currency is a setting, not a constant; the first stage is that of the pipeline.
  params: ({ create, kinds }) => ({
    ...create,
    ...{ currency: optional(kinds.currency), pipeline: optional(kinds.pipeline), stage: optional(kinds.stage) },
  }),
  examples: [
    { name: 'Forty espresso machines', price: 51800 },
    { name: 'Roof of the south hall', price: 129999.95, currency: 'CHF', stage: 'qualified', owner: 'Mila Sanz' },
  ],
  allowed: [],
  changes: ['currency', 'pipeline', 'stage'],
  usual: (sent, source) => usualPlace(sent, source),
  apply: (blank, { currency, pipeline, stage, ...fields }, _now, { on: { schema } }) => {
    const place = firstPlace({ pipeline, stage }, schema)
    const faults = placeFaults(place, schema)
    return faults.length > 0 ? { faults } : { ...fields, ...place, currency: currency ?? blank.currency }
  },
})

import { optional } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { deal } from '../deal.ts'

export const create = defineOperation({
  on: deal,
  name: 'create',
  title: 'Create a deal',
  words: { participles: [], noun: '', action: 'CreateDeal', event: 'deal.created' },
  group: 'Deals',
  sentence: ({ price }, say) => ({ done: 'created the deal for {price}', with: { price: say.amount(price) } }),
  to: 'nothing',
  // The default currency is a setting, not a constant.
  params: ({ create, kinds }) => ({ ...create, currency: optional(kinds.currency) }),
  examples: [
    { name: 'Forty espresso machines', price: 51800 },
    { name: 'Roof of the south hall', price: 129999.95, currency: 'CHF', stage: 'qualified', owner: 'Mila Sanz' },
  ],
  allowed: [],
  changes: ['currency'],
  apply: (blank, { currency, ...fields }) => ({ ...fields, currency: currency ?? blank.currency }),
})

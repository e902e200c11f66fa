import { defineOperation } from '../../src/model/declaration/operation.ts'
import { deal } from '../../src/model/nouns/deal/deal.ts'
import { date } from '../../src/values/kinds/time.ts'
import { required } from '../../src/values/members.ts'

/** An operation on deals. */
export const remind = defineOperation({
  on: deal,
  name: 'remind',
  title: 'Remind',
  words: { participles: ['reminded'], noun: 'reminders', action: 'RemindDeal', event: 'deal.reminded' },
  group: 'Notes and people',
  sentence: ({ on }, say) => ({ done: 'asked to be reminded on {date}', with: { date: say.date(on) } }),
  params: () => ({ on: required(date) }),
  examples: [{ on: '2027-03-31' }],
  allowed: [],
  changes: [],
  apply: () => ({}),
})

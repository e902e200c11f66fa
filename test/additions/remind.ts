import { defineOperation } from '../../src/model/declaration/operation.ts'
import { deal } from '../../src/model/nouns/deal/deal.ts'
import type { FaultCode } from '../../src/values/faults/fault-codes.ts'
import { date } from '../../src/values/kinds/time.ts'
import { required } from '../../src/values/members.ts'

/** A line of the grown copy's table. */
const open = 'errands-open' as FaultCode

/** An operation on deals, which asks for the fact that is added. */
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
  check: (_params, _now, { known }: { readonly known?: { readonly openErrands: number } }) =>
    (known?.openErrands ?? 0) > 1 ? [{ code: open, at: { pointer: '' } }] : [],
  apply: () => ({}),
})

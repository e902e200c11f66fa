import { dayIn, decimalText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { listScreen } from '../list/list-screen.ts'
import { mark } from '../parts/marks.ts'
import { amountText } from '../parts/money.ts'
import { readReporting } from '../reporting/read.ts'
import type { ShownRate } from '../reporting/reporting.ts'

/** The value of one unit of the service's currency in others. */
export const rateList = listScreen<ShownRate>({
  filters: ['currency'],
  cells: { perUnit: ({ perUnit }, { reader }) => decimalText(amountText(perUnit), 4)(reader) },
  about: ({ service }) =>
    say('1 {currency} in other currencies. Totals use today’s rate.', {
      currency: service.settings.currency,
    }),
  given: ({ now, call }) => ({ since: dayIn(now, call.reader.timeZone), return: call.path }),
  marks: async ({ now, call }) => {
    const { inForce } = await readReporting(call, dayIn(now, call.reader.timeZone))
    const inForceMark = mark('done', say('In force'))
    return ({ id }) => (inForce.has(id) ? inForceMark : undefined)
  },
})

import { dayIn } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { listScreen } from '../list/list-screen.ts'
import { mark } from '../parts/marks.ts'
import { thisMonth } from '../reports/days.ts'
import type { ShownTarget } from '../reports/target-parts.ts'

/** The targets of people. */
export const targetList = listScreen<ShownTarget>({
  columns: ['amount', 'from', 'to'],
  filters: ['user', 'from', 'to', 'currency'],
  about: () => say('What each person is to win in a range of days. Reports show it beside what was won.'),
  given: ({ now, call }) => {
    const { from, until } = thisMonth.usual(dayIn(now, call.reader.timeZone))
    return { from, to: until, return: call.path }
  },
  marks: async ({ now, call }) => {
    const today = dayIn(now, call.reader.timeZone)
    const inForceMark = mark('done', say('In force'))
    return ({ from, to }) => (from <= today && today <= to ? inForceMark : undefined)
  },
})

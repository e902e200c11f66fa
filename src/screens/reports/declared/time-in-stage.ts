import { numberText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import type { Text } from '../../../languages/text.ts'
import { html } from '../../../representations/markup/markup.ts'
import { agoMarkup } from '../../parts/moment.ts'
import { isAt, stageMark, stagesIn } from '../../stages/stages.ts'
import { instantWithin, lastMonths } from '../days.ts'
import { also, defineReport } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { countOf } from '../tally.ts'
import { dealsLink } from './deal-rows.ts'

/** How long deals were in a stage before they left it, and since when others are. */
export const timeInStage = defineReport({
  name: 'time-in-stage',
  title: say('Time in stage'),
  about: say('How long deals stayed in each stage until they left it.'),
  days: lastMonths,
  questions: ({ days, person, pipeline }) => ({
    left: {
      title: say('Left stages'),
      collection: 'periods',
      query: `status=open&${instantWithin('until', days, 'UTC')}${also('deal.owner', person)}${also('pipeline', pipeline)}&group=pipeline,stage&measure=count,avg.seconds,min.seconds,max.seconds`,
    },
    now: {
      title: say('In a stage now'),
      collection: 'deals',
      query: `status=open${also('owner', person)}${also('pipeline', pipeline)}&group=pipeline,stage&measure=count,min.stageSince`,
    },
  }),
  figure: {
    of: ['left'],
    isCompared: true,
    show({ left }) {
      const count = countOf(left)
      const all = left.reduce((sum, group) => sum + Number(group['avg.seconds']) * Number(group.count), 0)
      const amount = count === 0 ? 0 : all / count
      return { text: say('On average'), value: count === 0 ? '–' : durationText(amount), amount, isLessBetter: true }
    },
  },
  show({ left, now }, page) {
    const rows = stagesIn(page.schema, page.pipeline).map((stage) => {
      const those = left.find(isAt(stage))
      const present = now.find(isAt(stage))
      const since = present?.['min.stageSince']
      const length = (measure: string) =>
        those === undefined ? '–' : durationText(Number(those[`${measure}.seconds`]))
      return {
        label: stageMark(stage, page.schema, page.pipeline),
        bar: Number(those?.['avg.seconds'] ?? 0),
        cells: [
          length('avg'),
          length('min'),
          length('max'),
          numberText(Number(those?.count ?? 0)),
          dealsLink(
            numberText(Number(present?.count ?? 0)),
            `status=open&${stage.query}${also('owner', page.person)}`,
            page,
          ),
          typeof since === 'string' ? agoMarkup(since, Date.parse(page.now)) : '–',
        ],
      }
    })
    return html`<div class="panel">${reportTable({
      id: 'stages-table',
      caption: say('By stage'),
      heads: [
        say('Stage'),
        say('On average'),
        say('Shortest'),
        say('Longest'),
        say('Exited'),
        say('Now|in a stage'),
        say('Oldest since'),
      ],
      rows,
    })}</div>`
  },
})

/** A length of time in the largest unit of which it has at least one or two. */
function durationText(seconds: number): Text {
  const tenths = (value: number): number => Math.round(value * 10) / 10
  if (seconds >= 2 * DAY)
    return say('{count} days', { count: seconds < 10 * DAY ? tenths(seconds / DAY) : Math.round(seconds / DAY) })
  if (seconds >= 2 * HOUR) return say('{count} hours', { count: Math.round(seconds / HOUR) })
  return say('{count} minutes', { count: Math.round(seconds / MINUTE) })
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

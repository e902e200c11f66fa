import { numberText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import type { DealPlace } from '../../../model/nouns/deal/place.ts'
import { html } from '../../../representations/markup/markup.ts'
import { isAt, stageAt, stageMark, stagesIn } from '../../stages/stages.ts'
import { instantWithin, lastMonths } from '../days.ts'
import { also, defineReport, type GroupAnswer, type ReportPage } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { countOf } from '../tally.ts'
import { percentMarkup } from './targets.ts'

/** The part of the deals in each stage that went on from it. decisions/0050 */
export const conversion = defineReport({
  name: 'conversion',
  title: say('Conversion'),
  about: say('How many of the deals that entered a stage went on from it.'),
  days: lastMonths,
  questions: ({ days, person, pipeline }) => ({
    entered: {
      title: say('Entered stages'),
      collection: 'periods',
      query: `status=open&first=true&${instantWithin('since', days, 'UTC')}&deal.deletedAt.null=true${also('deal.owner', person)}${also('pipeline', pipeline)}&group=pipeline,stage,deal.pipeline,deal.stage,deal.status&measure=count`,
    },
  }),
  rows: ({ entered }, about) =>
    stepsOf(entered, about).map((step) => ({ ...step, percent: percentAmong(step.wentOn, step.entered) ?? null })),
  figure: {
    of: ['entered'],
    isCompared: true,
    show({ entered }, page) {
      const steps = stepsOf(entered, page)
      const wentOn = steps.reduce((all, step) => all + step.wentOn, 0)
      const percent = percentAmong(wentOn, countOf(entered))
      return { text: say('went on'), value: percentMarkup(percent), amount: percent ?? 0, isShare: true }
    },
  },
  show({ entered }, page) {
    if (entered.length === 0) return html`<p class="empty">${say('No deal entered a stage in this period.')}</p>`
    const rows = stepsOf(entered, page).map(({ entered: all, wentOn, won, lost, open, ...place }) => ({
      label: stageMark(place, page.schema, page.pipeline),
      bar: all,
      cells: [
        ...[all, wentOn].map((count) => numberText(count)),
        percentMarkup(percentAmong(wentOn, all)),
        ...[won, lost, open].map((count) => numberText(count)),
        percentMarkup(percentAmong(won, won + lost)),
      ],
    }))
    return html`<div class="panel">${reportTable({
      id: 'steps-table',
      caption: say('By stage'),
      heads: [
        say('Stage'),
        say('Entered'),
        say('Went on'),
        say('Conversion'),
        say('Won'),
        say('Lost'),
        say('Still open'),
        say('Win rate'),
      ],
      rows,
    })}<p class="quiet">${say(
      'A deal counts once in each stage, when it first entered it. It went on if it is in a later stage now, or won.',
    )}</p></div>`
  },
})

/** The deals that entered a stage, by where they are now. */
interface StageStep extends DealPlace {
  readonly entered: number
  /** Now in a later stage, in whatever status, or won. */
  readonly wentOn: number
  readonly won: number
  readonly lost: number
  readonly open: number
}

/** A deal that left for another pipeline did not continue in this one. */
function stepsOf(
  entered: GroupAnswer,
  { schema, pipeline }: Pick<ReportPage, 'schema' | 'pipeline'>,
): readonly StageStep[] {
  return stagesIn(schema, pipeline).map((shown) => {
    const those = entered.filter(isAt(shown))
    const now = (status: string): GroupAnswer => those.filter((group) => group['deal.status'] === status)
    const isLater = (group: GroupAnswer[number]): boolean => {
      const now = stageAt(schema, { pipeline: group['deal.pipeline'], stage: group['deal.stage'] })
      return now !== undefined && now.pipeline === shown.pipeline && now.far > shown.far
    }
    return {
      ...{ pipeline: shown.pipeline, stage: shown.stage },
      entered: countOf(those),
      wentOn: countOf(those.filter((group) => isLater(group) || group['deal.status'] === 'completed')),
      won: countOf(now('completed')),
      lost: countOf(now('cancelled')),
      open: countOf(now('open')),
    }
  })
}

const percentAmong = (part: number, all: number): number | undefined =>
  all === 0 ? undefined : Math.round((part / all) * 100)

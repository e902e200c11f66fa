import { numberText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import { html, type Markup } from '../../../representations/markup/markup.ts'
import { figureSum, sumMarkup } from '../../reporting/view.ts'
import { isAt, stageMark, stagesIn } from '../../stages/stages.ts'
import { also, defineReport, type Question, type ReportFilter, type ReportPage } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { none, talliesBy, tally, worth, worthOf } from '../tally.ts'
import { dealsLink, ownerFilter, personLabel, shortened } from './deal-rows.ts'

const openBy = (keys: string, { person, pipeline }: ReportFilter): Question => ({
  title: say('Open deals by stage and person'),
  collection: 'deals',
  query: `status=open${also('owner', person)}${also('pipeline', pipeline)}&group=${keys}&measure=count,sum.price`,
})

/** The open deals, by stage and owner. */
export const pipeline = defineReport({
  name: 'pipeline',
  title: say('Pipeline'),
  about: say('Open deals by stage and person, as they are now.'),
  sums: true,
  questions: (asked) => ({ open: openBy('pipeline,stage,owner,currency', asked) }),
  figure: {
    of: ['open'],
    questions: (asked) => ({ open: openBy('pipeline,stage,currency', asked) }),
    show({ open }, { reporting }) {
      const all = tally(open, reporting)
      return { text: say('Open deals'), value: figureSum(all.sum, reporting), amount: worthOf(all) }
    },
  },
  show({ open }, page) {
    if (open.length === 0) return html`<p class="empty">${say('No open deals.')}</p>`
    const { reporting, person } = page
    const all = tally(open, reporting)
    const rows = stagesIn(page.schema, page.pipeline).map((stage) => {
      const those = tally(open.filter(isAt(stage)), reporting)
      const query = `status=open&${stage.query}${also('owner', person)}`
      return {
        label: stageMark(stage, page.schema, page.pipeline),
        bar: worthOf(those),
        cells: [dealsLink(numberText(those.count), query, page), worth(those, reporting)],
      }
    })
    return html`<div class="panel">${reportTable({
      id: 'by-stage',
      caption: say('By stage'),
      heads: [say('Stage'), say('Deals'), say('Value')],
      rows,
      total: {
        label: say('Total'),
        cells: [
          dealsLink(
            numberText(all.count),
            `status=open${also('owner', person)}${also('pipeline', page.pipeline)}`,
            page,
          ),
          sumMarkup(all.sum, reporting),
        ],
      },
    })}</div>
${byPerson(open, page)}`
  },
})

/** The deals of each person in each stage. */
function byPerson(open: Parameters<typeof tally>[0], page: ReportPage): Markup {
  const { reporting } = page
  const stages = stagesIn(page.schema, page.pipeline)
  const rows = talliesBy('owner', open, reporting).map(({ of, groups, count, sum }) => ({
    label: personLabel(of, page),
    bar: worthOf({ sum }),
    cells: [
      ...stages.map((stage) => {
        const those = groups.filter(isAt(stage))
        if (those.length === 0) return none
        const query = `status=open&${stage.query}&${ownerFilter(of)}`
        return dealsLink(sumMarkup(tally(those, reporting).sum, reporting), query, page)
      }),
      dealsLink(numberText(count), `status=open&${ownerFilter(of)}${also('pipeline', page.pipeline)}`, page),
      sumMarkup(sum, reporting),
    ],
  }))
  return html`<div class="panel">${shortened(rows, (shown) =>
    reportTable({
      id: 'by-person',
      caption: say('By person'),
      heads: [say('Person'), ...stages.map(({ title }) => title), say('Deals'), say('Value')],
      rows: shown,
    }),
  )}</div>`
}

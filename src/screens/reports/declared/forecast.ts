import { longMonthText, monthText, numberText, percentText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import { joined, type Text } from '../../../languages/text.ts'
import { html } from '../../../representations/markup/markup.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { addDays } from '../../../values/kinds/time.ts'
import { columnChart } from '../../charts/column-chart.ts'
import { type CurrencySum, reportedSum } from '../../reporting/reporting.ts'
import { figureSum } from '../../reporting/view.ts'
import { stageAt, stagesIn } from '../../stages/stages.ts'
import { comingMonths, dateWithin, daysIn, monthsOf } from '../days.ts'
import { also, defineReport, type ReportPage } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { priceOf, tally, worth, worthOf } from '../tally.ts'
import { dealsLink } from './deal-rows.ts'

/** The open deals by the month of their completion date. */
export const forecast = defineReport({
  name: 'forecast',
  title: say('Forecast'),
  about: say('Open deals by the month of their expected close.'),
  sums: true,
  days: comingMonths,
  questions({ days, person, pipeline }) {
    const open = `status=open${also('owner', person)}${also('pipeline', pipeline)}`
    const groups = 'group=pipeline,stage,currency&measure=count,sum.price'
    return {
      months: {
        title: say('Open deals by month'),
        collection: 'deals',
        query: `${open}&${dateWithin('completionDate', days)}&group=completionDate.month,pipeline,stage,currency&measure=count,sum.price`,
      },
      earlier: {
        title: say('Due before'),
        collection: 'deals',
        query: `${open}&completionDate.lt=${days.from}&${groups}`,
      },
      later: {
        title: say('Due later'),
        collection: 'deals',
        query: `${open}&completionDate.gt=${days.until}&${groups}`,
      },
      undated: {
        title: say('Without a date'),
        collection: 'deals',
        query: `${open}&completionDate.null=true&${groups}`,
      },
    }
  },
  figure: {
    of: ['months'],
    show({ months }, page) {
      const sum = weighted(months, page)
      return { text: say('Weighted, in these months'), value: figureSum(sum, page.reporting), amount: worthOf({ sum }) }
    },
  },
  show({ months, earlier, later, undated }, page) {
    const { days, person, pipeline, reporting } = page
    const open = `status=open${also('owner', person)}${also('pipeline', pipeline)}`
    const rowOf = (name: Text, groups: readonly DataObject[], query: string) => {
      const all = tally(groups, reporting)
      const likely = { ...all, sum: weighted(groups, page) }
      const link = dealsLink(numberText(all.count), `${open}${query}`, page)
      return { label: name, cells: [link, worth(all, reporting), worth(likely, reporting)] }
    }
    const inMonths = monthsOf(days).map((month) => ({
      month,
      groups: months.filter((group) => group['completionDate.month'] === month),
    }))
    const rows = [
      rowOf(say('Due before'), earlier, `&completionDate.lt=${days.from}`),
      ...inMonths.map(({ month, groups }) =>
        rowOf(longMonthText(month), groups, `&${dateWithin('completionDate', daysIn(month, days))}`),
      ),
      rowOf(say('Due later'), later, `&completionDate.gte=${addDays(days.until, 1)}`),
      rowOf(say('Without a date'), undated, '&completionDate.null=true'),
    ]
    const all = [...earlier, ...months, ...later, ...undated]
    return html`<div class="panel">${columnChart({
      size: 'large',
      id: 'forecast-chart',
      title: say('By month, {currency}', { currency: reporting.currency }),
      series: [
        { label: say('Value'), kind: 'soft' },
        { label: say('Weighted'), kind: 'plain' },
      ],
      points: inMonths.map(({ month, groups }) => ({
        label: monthText(month),
        values: [worthOf(tally(groups, reporting)), worthOf({ sum: weighted(groups, page) })],
      })),
    })}${reportTable({
      id: 'forecast-table',
      caption: say('By month'),
      heads: [say('Month'), say('Deals'), say('Value'), say('Weighted')],
      rows,
      total: rowOf(say('Total'), all, ''),
    })}<p class="quiet">${say('Weighted: the value times the likelihood of winning from its stage: {stages}.', {
      stages: joined(
        stagesIn(page.schema, pipeline).map(({ title, likelihood }) => joined([title, percentText(likelihood)], ' ')),
        ', ',
      ),
    })}</p></div>`
  },
})

/** Each group's sum times the likelihood of its stage, rounded down to thousandths. */
function weighted(groups: readonly DataObject[], { reporting, schema }: Pick<ReportPage, 'reporting' | 'schema'>) {
  const sums = groups.map((group): CurrencySum => {
    const likely = BigInt(stageAt(schema, group)?.likelihood ?? 0)
    return { currency: String(group.currency), value: (priceOf(group) * likely) / 100n }
  })
  return reportedSum(sums, reporting)
}

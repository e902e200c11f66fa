import { longMonthText, monthText, numberText, percentText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import { type Hole, html, type Markup } from '../../../representations/markup/markup.ts'
import { columnChart } from '../../charts/column-chart.ts'
import type { ReportedSum } from '../../reporting/reporting.ts'
import { figureSum, sumMarkup } from '../../reporting/view.ts'
import { type Days, daysIn, instantWithin, lastMonths, monthsOf } from '../days.ts'
import { also, defineReport, type GroupAnswer, type ReportFilter, type ReportPage } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { none, type Tally, talliesBy, tally, worth, worthOf } from '../tally.ts'
import { percentOf, targetQuestion, targetSums } from '../target-parts.ts'
import { type DealsOf, dealsLink, ownerFilter, personLabel, shortened, wonWithin } from './deal-rows.ts'
import { percentMarkup } from './targets.ts'

// A deal is lost at an instant, whose day is that of UTC, as is the day of a completion without a date.
const lost = (days: Days, { person, pipeline }: DealsOf): string =>
  `status=cancelled&${instantWithin('closedAt', days, 'UTC')}${also('owner', person)}${also('pipeline', pipeline)}`

const MOST_REASONS = 12

/** The completed and the cancelled deals, by month, by reason and by person. */
export const wonAndLost = defineReport({
  name: 'won-and-lost',
  title: say('Won and lost'),
  about: say('Won and lost deals by month, with the reasons.'),
  sums: true,
  days: lastMonths,
  questions(asked: ReportFilter) {
    const { days } = asked
    const sums = 'measure=count,sum.price'
    return {
      won: {
        title: say('Won by month'),
        collection: 'deals',
        query: `${wonWithin(days, asked)}&group=completedOn.month,currency&${sums}`,
      },
      lost: {
        title: say('Lost by month'),
        collection: 'deals',
        query: `${lost(days, asked)}&group=closedAt.month,currency&${sums}`,
      },
      reasons: {
        title: say('Lost by reason'),
        collection: 'deals',
        query: `${lost(days, asked)}&group=closingReason,currency&${sums}&sort=-count`,
        most: 200,
      },
      winners: {
        title: say('Won by person'),
        collection: 'deals',
        query: `${wonWithin(days, asked)}&group=owner,currency&${sums}`,
      },
      losers: {
        title: say('Lost by person'),
        collection: 'deals',
        query: `${lost(days, asked)}&group=owner,currency&${sums}`,
      },
      targets: targetQuestion(asked),
    }
  },
  figure: {
    of: ['won'],
    isCompared: true,
    show({ won: wonIn }, { reporting }) {
      const all = tally(wonIn, reporting)
      return { text: say('Won'), value: figureSum(all.sum, reporting), amount: worthOf(all) }
    },
  },
  show({ won: wonIn, lost: lostIn, reasons, winners, losers, targets }, page) {
    if (wonIn.length === 0 && lostIn.length === 0)
      return html`<p class="empty">${say('No deal was won or lost in this period.')}</p>`
    const { days, reporting } = page
    const months = monthsOf(days).map((month) => ({
      month,
      of: daysIn(month, days),
      won: tally(
        wonIn.filter((group) => group['completedOn.month'] === month),
        reporting,
      ),
      lost: tally(
        lostIn.filter((group) => group['closedAt.month'] === month),
        reporting,
      ),
    }))
    const [allWon, allLost] = [tally(wonIn, reporting), tally(lostIn, reporting)]
    return html`<div class="panel">${columnChart({
      size: 'large',
      id: 'months-chart',
      title: say('By month, {currency}', { currency: reporting.currency }),
      series: [
        { label: say('won'), kind: 'done' },
        { label: say('lost'), kind: 'off' },
      ],
      points: months.map((each) => ({ label: monthText(each.month), values: [worthOf(each.won), worthOf(each.lost)] })),
    })}${reportTable({
      id: 'months-table',
      caption: say('By month'),
      heads: [say('Month'), ...closedHeads],
      rows: months.map(({ month, of, ...each }) => ({
        label: longMonthText(month),
        cells: closedCells(each, wonWithin(of, page), lost(of, page), page),
      })),
      total: {
        label: say('Total'),
        cells: closedCells({ won: allWon, lost: allLost }, wonWithin(days, page), lost(days, page), page),
      },
    })}</div>
${reasonsPanel(reasons, allLost, page)}${peoplePanel(winners, losers, targets, page)}`
  },
})

const closedHeads = [say('Won'), say('Value'), say('Lost'), say('Value'), say('Win rate')]

function closedCells(
  each: { readonly won: Tally; readonly lost: Tally },
  wonQuery: string,
  lostQuery: string,
  page: ReportPage,
) {
  const all = each.won.count + each.lost.count
  return [
    dealsLink(numberText(each.won.count), wonQuery, page),
    worth(each.won, page.reporting),
    dealsLink(numberText(each.lost.count), lostQuery, page),
    worth(each.lost, page.reporting),
    all === 0 ? '–' : percentText(Math.round((each.won.count / all) * 100)),
  ]
}

function reasonsPanel(reasons: GroupAnswer, all: Tally, page: ReportPage): Markup | undefined {
  if (reasons.length === 0) return undefined
  const { days, reporting } = page
  const rows = talliesBy('closingReason', reasons, reporting)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_REASONS)
  const others = all.count - rows.reduce((count, row) => count + row.count, 0)
  return html`<div class="panel">${reportTable({
    id: 'reasons-table',
    caption: say('Why deals were lost'),
    heads: [say('Reason'), say('Deals'), say('Value')],
    rows: rows.map(({ of, count, sum }) => {
      const query = `${lost(days, page)}&${of === null ? 'closingReason.null=true' : `closingReason=${encodeURIComponent(of)}`}`
      return {
        label: of ?? say('No reason given'),
        bar: count,
        cells: [dealsLink(numberText(count), query, page), sumMarkup(sum, reporting)],
      }
    }),
    ...(others > 0 && { total: { label: say('Other reasons'), cells: [numberText(others), ''] } }),
  })}</div>
`
}

/** The won and lost deals of each person, with their target if anybody has one. */
function peoplePanel(winners: GroupAnswer, losers: GroupAnswer, targets: GroupAnswer, page: ReportPage): Markup {
  const { days, reporting } = page
  const byOwner = (groups: GroupAnswer): ReadonlyMap<string | null, Tally> =>
    new Map(talliesBy('owner', groups, reporting).map((each) => [each.of, each]))
  const [wonBy, lostBy] = [byOwner(winners), byOwner(losers)]
  const targetBy = targetSums(targets, page)
  const nothing = tally([], reporting)
  const people = new Set([...wonBy.keys(), ...lostBy.keys(), ...targetBy.keys()])
  const rows = [...people].map((person) => {
    const each = { won: wonBy.get(person) ?? nothing, lost: lostBy.get(person) ?? nothing }
    const [wonQuery, lostQuery] = [
      wonWithin(days, { pipeline: page.pipeline }),
      lost(days, { pipeline: page.pipeline }),
    ]
    const target = targetBy.get(person ?? '')
    return {
      label: personLabel(person, page),
      bar: worthOf(each.won),
      cells: [
        ...closedCells(each, `${wonQuery}&${ownerFilter(person)}`, `${lostQuery}&${ownerFilter(person)}`, page),
        ...(targetBy.size > 0 ? targetCells(each.won, target, page) : []),
      ],
    }
  })
  const targetHeads = targetBy.size > 0 ? [say('Target'), say('Of the target')] : []
  return html`<div class="panel">${shortened(rows, (shown) =>
    reportTable({
      id: 'people-table',
      caption: say('By person'),
      heads: [say('Person'), ...closedHeads, ...targetHeads],
      rows: shown,
    }),
  )}</div>
`
}

const targetCells = (won: Tally, target: ReportedSum | undefined, { reporting }: ReportPage): readonly Hole[] =>
  target === undefined ? [none, none] : [sumMarkup(target, reporting), percentMarkup(percentOf(won.sum, target))]

import { percentText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import { phrase } from '../../../representations/html/phrase.ts'
import { type Hole, html } from '../../../representations/markup/markup.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { fromThousandths } from '../../parts/money.ts'
import { type ReportedSum, type Reporting, totalOf } from '../../reporting/reporting.ts'
import { sumMarkup } from '../../reporting/view.ts'
import { thisMonth } from '../days.ts'
import { defineReport, type GroupAnswer, type ReportContext } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { none, talliesBy } from '../tally.ts'
import { percentOf, targetQuestion, targetSums, wholeTargets } from '../target-parts.ts'
import { dealsLink, ownerFilter, personLabel, shortened, wonWithin } from './deal-rows.ts'

/** The won part of each person's target. decisions/0050 */
export const targets = defineReport({
  name: 'targets',
  title: say('Targets'),
  about: say('What each person has won of their target.'),
  sums: true,
  days: thisMonth,
  questions: (asked) => ({
    targets: targetQuestion(asked),
    won: {
      title: say('Won by person'),
      collection: 'deals',
      query: `${wonWithin(asked.days, asked)}&group=owner,currency&measure=count,sum.price`,
    },
  }),
  rows: (answers, about) => attainmentsOf(answers, about).flatMap((attainment) => rowsOf(attainment, about.reporting)),
  figure: {
    of: ['targets', 'won'],
    first: 'targets',
    show(answers, page) {
      const { target, won } = allOf(attainmentsOf(answers, page))
      const percent = percentOf(won, target)
      return { text: say('of the targets'), value: percentMarkup(percent), amount: percent ?? 0, isShare: true }
    },
  },
  show(answers, page) {
    const { addresses, days, reporting } = page
    const attainments = attainmentsOf(answers, page)
    const set = html`<p><a href="${addresses.targets}">${say('All targets')}</a></p>`
    if (attainments.length === 0)
      return html`<div class="panel"><p class="empty">${say('Nobody has a target in this period.')}</p>${set}</div>`
    const wholes = wholeTargets(answers.targets, page)
    const cells = ({ person, target, won }: Attainment, query: string): readonly Hole[] => [
      targetCell(target, wholes.get(person) ?? target, reporting),
      dealsLink(sumMarkup(won, reporting), query, page),
      percentMarkup(percentOf(won, target)),
    ]
    const rows = attainments.map((attainment) => ({
      label: personLabel(attainment.person, page, attainment.won.value > 0n),
      bar: percentOf(attainment.won, attainment.target) ?? 0,
      cells: cells(attainment, `${wonWithin(days, { pipeline: page.pipeline })}&${ownerFilter(attainment.person)}`),
    }))
    const all = allOf(attainments)
    const total = [
      sumMarkup(all.target, reporting),
      sumMarkup(all.won, reporting),
      percentMarkup(percentOf(all.won, all.target)),
    ]
    return html`<div class="panel">${shortened(rows, (shown) =>
      reportTable({
        id: 'targets-table',
        caption: say('By person'),
        heads: [say('Person'), say('Target'), say('Won'), say('Of the target')],
        rows: shown,
        total: { label: say('Total'), cells: total },
      }),
    )}<p class="quiet">${say('A target counts by its days that are in the period.')}</p>${set}</div>`
  },
})

/** The part of a target that counts, and the whole that somebody entered. */
function targetCell(target: ReportedSum, whole: ReportedSum, reporting: Reporting): Hole {
  const isPart = JSON.stringify(shownSum(target)) !== JSON.stringify(shownSum(whole))
  const note =
    isPart && html` <small class="quiet">${phrase('part of {amount}', { amount: sumMarkup(whole, reporting) })}</small>`
  return html`${sumMarkup(target, reporting)}${note}`
}

const shownSum = ({ value, apart }: ReportedSum) => [value, ...apart.map((each) => each.value)].map(String)

/** The target of a person, and the amount that they won. */
export interface Attainment {
  readonly person: string
  readonly target: ReportedSum
  readonly won: ReportedSum
}

/** Of everybody who has a target in the days, the largest first. */
export function attainmentsOf(
  { targets, won }: Readonly<Record<'targets' | 'won', GroupAnswer>>,
  about: Pick<ReportContext, 'days' | 'reporting'>,
): readonly Attainment[] {
  const wonBy = new Map(talliesBy('owner', won, about.reporting).map(({ of, sum }) => [of, sum]))
  return [...targetSums(targets, about)]
    .map(([person, target]) => ({ person, target, won: wonBy.get(person) ?? nothing }))
    .toSorted((one, other) => Number(other.target.value - one.target.value))
}

const nothing: ReportedSum = { value: 0n, apart: [] }

const allOf = (attainments: readonly Attainment[]): Omit<Attainment, 'person'> => ({
  target: totalOf(attainments.map(({ target }) => target)),
  won: totalOf(attainments.map(({ won }) => won)),
})

export const percentMarkup = (percent: number | undefined): Hole =>
  percent === undefined ? none : html`${percentText(percent)}`

/** A row in the reporting currency, and one for each currency without a rate. */
function rowsOf({ person, target, won }: Attainment, { currency }: Reporting): readonly DataObject[] {
  const others = new Set([...target.apart, ...won.apart].map((sum) => sum.currency))
  const inOne = (sum: ReportedSum, other: string): ReportedSum => ({
    value: sum.apart.find((each) => each.currency === other)?.value ?? 0n,
    apart: [],
  })
  const row = (of: string, attainment: Omit<Attainment, 'person'>): DataObject => ({
    person,
    currency: of,
    target: fromThousandths(attainment.target.value),
    won: fromThousandths(attainment.won.value),
    percent: percentOf(attainment.won, attainment.target) ?? null,
  })
  return [
    row(currency, { target: { ...target, apart: [] }, won: { ...won, apart: [] } }),
    ...[...others].map((other) => row(other, { target: inOne(target, other), won: inOne(won, other) })),
  ]
}

import { html, type Markup } from '../../representations/markup/markup.ts'
import type { DataObject } from '../../representations/read-document.ts'
import { thousandthsOf } from '../parts/money.ts'
import type { Amount } from '../parts/shown.ts'
import { type ReportedSum, type Reporting, reportedSum } from '../reporting/reporting.ts'
import { sumMarkup } from '../reporting/view.ts'

/** The number of deals in groups, and their worth. */
export interface Tally {
  readonly count: number
  readonly sum: ReportedSum
}

/** Adds groups up, each of which has a count, a currency and the sum of prices in it. */
export function tally(groups: readonly DataObject[], reporting: Pick<Reporting, 'convert'>): Tally {
  const sums = groups.map((group) => ({ currency: String(group.currency), value: priceOf(group) }))
  return { count: countOf(groups), sum: reportedSum(sums, reporting) }
}

/** The sum of a group's prices, in thousandths. */
export const priceOf = (group: DataObject): bigint => thousandthsOf(group['sum.price'] as Amount)

export const countOf = (groups: readonly DataObject[]): number =>
  groups.reduce((count, group) => count + Number(group.count), 0)

/** The worth of deals; a dash for none. */
export const worth = ({ count, sum }: Tally, reporting: Pick<Reporting, 'currency'>): Markup =>
  count === 0 ? none : sumMarkup(sum, reporting)

export const none: Markup = html`<span class="quiet">–</span>`

/** For charts. */
export const worthOf = ({ sum }: Pick<Tally, 'sum'>): number => Number(sum.value) / 1000

/** The groups of each value of a key, the largest first; those without a value have null. */
export function talliesBy(
  key: string,
  groups: readonly DataObject[],
  reporting: Pick<Reporting, 'convert'>,
): readonly (Tally & { readonly of: string | null; readonly groups: readonly DataObject[] })[] {
  return [...Map.groupBy(groups, (group) => group[key])]
    .map(([of, those]) => ({ of: of === null ? null : String(of), groups: those, ...tally(those, reporting) }))
    .toSorted((a, b) => worthOf(b) - worthOf(a) || b.count - a.count)
}

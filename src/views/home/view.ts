import { briefText, dateText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { deal, stages } from '../../model/deal/deal.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { newLink } from '../page-forms/framed-form.ts'
import { dueMark, stageMark } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import type { ShownActivity, ShownDeal } from '../parts/shown.ts'
import { activityList } from '../parts/timeline.ts'
import type { Addresses, View } from '../parts/visit.ts'
import { barRows } from './bar-rows.ts'
import { type Month, monthColumns } from './month-columns.ts'
import { type Alert, alertFilters } from './numbers.ts'

export interface HomePage {
  readonly attention: Readonly<Record<Alert, { readonly count: number; readonly deals: readonly ShownDeal[] }>>
  readonly pipelines: readonly Pipeline[]
  readonly finished: readonly { readonly currency: string; readonly months: readonly Month[] }[]
  /** Latest first. */
  readonly activity: readonly ShownActivity[]
  /** Whether the caller may create a deal. */
  readonly mayCreate: boolean
  /** The panel of what is to be done today. */
  readonly tasks: View
  readonly now: string
  readonly addresses: Addresses
}

export interface Pipeline {
  readonly currency: string
  readonly stages: ReadonlyMap<ShownDeal['stage'], { readonly value: number; readonly count: number }>
}

/** The deals of each alert, in their order. */
export function alertQueries(today: string): Readonly<Record<Alert, string>> {
  const { overdue, due, held } = alertFilters(today)
  return {
    overdue: `${overdue}&sort=completionDate`,
    due: `${due}&sort=completionDate`,
    held: `${held}&sort=-updatedAt`,
  }
}

export function homePage(page: HomePage): Markup {
  const { pipelines, finished, activity, now, addresses } = page
  const today = now.slice(0, 10)
  return html`<header class="head" data-watch="all">
<div><h1>Today</h1><p class="quiet">${dateText(today)}</p></div>
${page.mayCreate && newDeal(addresses)}
</header>
<div class="attention" id="attention" data-live>
${alert('overdue', 'Overdue', 'Nothing is overdue.', page)}${alert('due', 'Due this week', 'Nothing is due this week.', page)}${alert(
  'held',
  'On hold',
  'Nothing is on hold.',
  page,
)}</div>
${page.tasks()}<div class="columns leading">
<div id="numbers" data-live>
<section class="panel" aria-labelledby="pipeline"><h2 id="pipeline">Pipeline</h2>
${pipelines.length === 0 ? html`<p class="empty">No open deals.</p>` : pipelines.map((pipeline) => pipelineMarkup(pipeline, addresses))}</section>
${
  finished.length > 0 &&
  html`<section class="panel" aria-labelledby="finished"><h2 id="finished">Completed and cancelled</h2>
<div class="charts">${finished.map(({ currency, months }) => monthColumns(currency, `months-${currency}`, months, currency))}</div></section>
`
}</div>
<section class="panel" id="activity" data-live aria-labelledby="activity-title"><h2 id="activity-title">Latest activity</h2>
${activity.length === 0 ? html`<p class="empty">No activity yet.</p>` : activityList(activity, now, addresses)}
<p><a href="${addresses.events}?sort=-sequence">All activity</a></p></section>
</div>
`
}

/** Leads to the page for a new deal, which leads back if `given` says so. */
export const newDeal = (addresses: Addresses, given?: { readonly return: string }): Markup =>
  newLink(addresses.creation(deal, given), 'New deal')

function alert(name: Alert, title: string, none: string, { attention, now, addresses }: HomePage): Markup {
  const { count, deals } = attention[name]
  const all = `${addresses.deals}?${alertQueries(now.slice(0, 10))[name]}`
  return html`<section class="panel ${name}" aria-labelledby="${name}"><h2 id="${name}"><a href="${all}"><span class="big">${count}</span> ${title}</a></h2>
${
  deals.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<ul>${deals.map((deal) => line(deal, name, now, addresses))}</ul>`
}${count > deals.length && html`<p><a href="${all}">${say('{count} more deals', { count: count - deals.length })}</a></p>`}</section>
`
}

const line = (deal: ShownDeal, name: Alert, now: string, addresses: Addresses): Markup =>
  html`<li><a href="${addresses.deal(deal.id)}">${deal.name}</a> ${money(deal.price, deal.currency)}<span class="quiet">${
    name === 'held' ? (deal.holdReason ?? '') : dueMark(deal, now)
  }</span></li>
`

function pipelineMarkup({ currency, stages: values }: Pipeline, addresses: Addresses): Markup {
  const total = [...values.values()].reduce((sum, { value }) => sum + value, 0)
  const rows = stages.map((stage) => {
    const { value, count } = values.get(stage) ?? { value: 0, count: 0 }
    const href = `${addresses.deals}?status=open&stage=${stage}&currency=${currency}`
    return {
      label: stageMark(stage),
      value,
      text: briefText(value),
      note: html`<a href="${href}">${say('{count} deals', { count })}</a>`,
    }
  })
  return barRows(`${currency}: ${briefText(total)} in open deals`, ['Stage', 'Value', 'Deals'], rows)
}

import { stages } from '../model/deal/deal.ts'
import { html, type Markup } from '../representations/html/markup.ts'
import { barRows } from './charts/bar-rows.ts'
import { type Month, monthColumns } from './charts/month-columns.ts'
import { dueMark, stageMark } from './marks.ts'
import { addDays, dateText, plural } from './moment.ts'
import { brief, money } from './money.ts'
import type { Places } from './places.ts'
import type { ShownActivity, ShownDeal } from './shown.ts'
import { activityList } from './timeline.ts'

export interface HomePage {
  readonly attention: Readonly<Record<Concern, { readonly count: number; readonly deals: readonly ShownDeal[] }>>
  readonly pipelines: readonly Pipeline[]
  readonly finished: readonly { readonly currency: string; readonly months: readonly Month[] }[]
  /** Latest first. */
  readonly activity: readonly ShownActivity[]
  /** Whether deals can be made by whoever looks. */
  readonly mayCreate: boolean
  readonly now: string
  readonly places: Places
}

export type Concern = 'held' | 'overdue' | 'due'

export interface Pipeline {
  readonly currency: string
  readonly stages: ReadonlyMap<ShownDeal['stage'], { readonly value: number; readonly count: number }>
}

/** What each concern asks of the collection of deals. */
export const concerns = (today: string): Readonly<Record<Concern, string>> => ({
  overdue: `status=open&completionDate.lt=${today}&sort=completionDate`,
  due: `status=open&completionDate.gte=${today}&completionDate.lte=${addDays(today, 6)}&sort=completionDate`,
  held: 'status=open&held=true&sort=-updatedAt',
})

export function homePage(page: HomePage): Markup {
  const { pipelines, finished, activity, now, places } = page
  const today = now.slice(0, 10)
  return html`<header class="head" data-watch="all">
<div><h1>Today</h1><p class="quiet">${dateText(today)}</p></div>
${page.mayCreate && newDeal(places)}
</header>
<div class="attention" id="attention" data-live>
${concern('overdue', 'Overdue', 'Nothing is overdue.', page)}${concern('due', 'Due this week', 'Nothing is due this week.', page)}${concern(
  'held',
  'On hold',
  'Nothing is on hold.',
  page,
)}</div>
<div class="columns leading">
<div id="numbers" data-live>
<section class="panel" aria-labelledby="pipeline"><h2 id="pipeline">Pipeline</h2>
${pipelines.length === 0 ? html`<p class="empty">No open deal.</p>` : pipelines.map((pipeline) => pipelineMarkup(pipeline, places))}</section>
${
  finished.length > 0 &&
  html`<section class="panel" aria-labelledby="finished"><h2 id="finished">Completed and cancelled</h2>
<div class="charts">${finished.map(({ currency, months }) => monthColumns(currency, `months-${currency}`, months, currency))}</div></section>
`
}</div>
<section class="panel" id="activity" data-live aria-labelledby="activity-title"><h2 id="activity-title">Latest activity</h2>
${activity.length === 0 ? html`<p class="empty">Nothing has happened yet.</p>` : activityList(activity, now, places)}
<p><a href="${places.events}?sort=-sequence">All activity</a></p></section>
</div>
`
}

/** Leads into the form, which opens when one comes to it. */
export const newDeal = (places: Places): Markup =>
  html`<p><a class="button" href="${places.deals}#new-form-1" data-key="n">New deal</a></p>`

function concern(name: Concern, title: string, none: string, { attention, now, places }: HomePage): Markup {
  const { count, deals } = attention[name]
  const all = `${places.deals}?${concerns(now.slice(0, 10))[name]}`
  return html`<section class="panel ${name}" aria-labelledby="${name}"><h2 id="${name}"><a href="${all}"><span class="big">${count}</span> ${title}</a></h2>
${
  deals.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<ul>${deals.map((deal) => line(deal, name, now, places))}</ul>`
}${count > deals.length && html`<p><a href="${all}">${plural(count - deals.length, 'more deal')}</a></p>`}</section>
`
}

const line = (deal: ShownDeal, name: Concern, now: string, places: Places): Markup =>
  html`<li><a href="${places.deal(deal.id)}">${deal.name}</a> ${money(deal.price, deal.currency)}<span class="quiet">${
    name === 'held' ? (deal.holdReason ?? '') : dueMark(deal, now)
  }</span></li>
`

function pipelineMarkup({ currency, stages: values }: Pipeline, places: Places): Markup {
  const total = [...values.values()].reduce((sum, { value }) => sum + value, 0)
  const rows = stages.map((stage) => {
    const { value, count } = values.get(stage) ?? { value: 0, count: 0 }
    const href = `${places.deals}?status=open&stage=${stage}&currency=${currency}`
    return {
      label: stageMark(stage),
      value,
      text: brief(value),
      note: html`<a href="${href}">${plural(count, 'deal')}</a>`,
    }
  })
  return barRows(`${currency}: ${brief(total)} in open deals`, ['Stage', 'Value', 'Deals'], rows)
}

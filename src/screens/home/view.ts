import type { Addresses } from '../../http/contract/addresses.ts'
import { briefText, dateText, numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { deal } from '../../model/nouns/deal/deal.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { barRows } from '../charts/bar-rows.ts'
import { newLink } from '../forms/framed-form.ts'
import { dueCell } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { details, panel } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import type { ShownActivity, ShownDeal } from '../parts/shown.ts'
import { activityList } from '../parts/timeline.ts'
import { type ReportedSum, type Reporting, reportedSum, totalOf } from '../reporting/reporting.ts'
import { reportingChoice, sumMarkup } from '../reporting/view.ts'
import { percentMarkup } from '../reports/declared/targets.ts'
import type { OwnAttainment } from '../reports/read.ts'
import { percentOf } from '../reports/target-parts.ts'
import { pipelineLinks } from '../stages/pipeline-links.ts'
import { isAt, stageMark, stagesIn } from '../stages/stages.ts'
import type { LateTasks } from '../task-panel/read.ts'
import { type FirstSteps, firstSteps } from './first-steps.ts'
import { monthColumns } from './month-columns.ts'
import { type Alert, alertFilters, type HomeNumbers, ownedBy } from './numbers.ts'

export interface HomePage extends Pick<HomeNumbers, 'pipeline'> {
  readonly schema: Schema
  readonly attention: Readonly<Record<Alert, { readonly count: number; readonly deals: readonly ShownDeal[] }>>
  readonly finished: readonly MonthSums[]
  /** The reader's own target of this month. */
  readonly attainment: OwnAttainment | undefined
  readonly reporting: Reporting
  /** Latest first. */
  readonly activity: readonly ShownActivity[]
  /** Whether the caller may create a deal. */
  readonly mayCreate: boolean
  /** While there is no deal, for callers who may create one. */
  readonly first: FirstSteps | undefined
  /** The panel of today's tasks. */
  readonly tasks: Screen
  readonly lateTasks: LateTasks
  /** Whose deals are shown; undefined for everybody's. */
  readonly owner: string | undefined
  /** The pipeline that it is about; undefined for all. */
  readonly askedPipeline: string | undefined
  /** The filter of its deals, added to a query. */
  readonly within: string
  readonly isUser: boolean
  /** The reader's day. */
  readonly today: string
  readonly now: string
  readonly addresses: Addresses
}

/** The deals finished in a month. */
export interface MonthSums {
  /** Such as 2026-11. */
  readonly month: string
  readonly completed: ReportedSum
  readonly cancelled: ReportedSum
}

/** The deals of each alert, in their order. */
export function alertQueries(today: string, within = ''): Readonly<Record<Alert, string>> {
  const { overdue, due, held } = alertFilters(today, within)
  return {
    overdue: `${overdue}&sort=completionDate`,
    due: `${due}&sort=completionDate`,
    held: `${held}&sort=-updatedAt`,
  }
}

export function homePage(page: HomePage): Markup {
  const { addresses, askedPipeline: pipeline } = page
  const given = pipeline === undefined ? {} : { pipeline }
  const head = pageHead({
    title: say('Today'),
    below: html`<p class="quiet" id="today" data-live>${dateText(page.today)}</p>`,
    beside: [pipelineSwitch(page), page.isUser && daySwitch(page), page.mayCreate && newDeal(addresses, given)],
    watch: 'all',
  })
  return html`${head}<div id="figures" data-live>${page.first ? firstSteps(page.first) : figures(page)}</div>
<div class="columns leading">
<div>${page.tasks()}
<div class="attention" id="attention" data-live>
${alert('overdue', page)}${alert('due', page)}${alert('held', page)}</div>
</div>
<div><div id="numbers" data-live>
${pipelineMarkup(page)}${finishedMarkup(page)}</div>
${activityPanel(page)}</div>
</div>
`
}

function activityPanel({ activity, now, addresses }: HomePage): Markup {
  const none = html`<p class="empty">${say('No activity yet.')}</p>`
  const latest = activity.length === 0 ? none : activityList(activity, now, addresses)
  const all = html`<p><a href="${addresses.events}?sort=-sequence">${say('All activity')}</a></p>`
  return panel('activity', say('Latest activity'), [latest, all], { live: 'always' })
}

/** Leads to the page for a new deal, with the given fields; it returns if `given` says so. */
export const newDeal = (addresses: Addresses, given?: { readonly [field: string]: string }): Markup =>
  newLink(addresses.creation(deal, given), say('New deal'))

/** The user's own deals, or everybody's; a cookie keeps the choice. */
function daySwitch({ owner, addresses }: HomePage): Markup {
  const isMine = owner !== undefined
  const choice = (value: string, text: Text, isChosen: boolean): Markup =>
    html`<button type="submit" name="day" value="${value}" aria-pressed="${String(isChosen)}">${text}</button>`
  const choices = [choice('mine', say('My day'), isMine), choice('everyone', say('Everyone'), !isMine)]
  return html`<form class="switch" method="post" action="${addresses.day}" aria-label="${say('Whose deals')}">
${choices}</form>
`
}

/** The numbers of the day, each with a link to its deals. */
function figures(page: HomePage): Markup {
  const { attention, lateTasks, pipeline, finished, reporting, within, today, addresses } = page
  const asked = alertQueries(today, within)
  const figure = (query: string, text: Text, value: Markup | number, kind = '', list = addresses.deals): Markup => {
    const big = html`<span class="big">${value}</span>`
    const tone = kind !== '' && html` class="${kind}"`
    return html`<li><a${tone} href="${list}?${query}">${big} ${text}</a></li>\n`
  }
  const isLate = lateTasks.count > 0 ? 'overdue' : 'calm'
  const late = figure(lateTasks.query, say('Overdue tasks'), lateTasks.count, isLate, addresses.tasks)
  const count = (name: Alert): Markup =>
    figure(asked[name], alertTitles[name], attention[name].count, attention[name].count > 0 ? name : 'calm')
  const month = today.slice(0, 7)
  const won = finished.find((each) => each.month === month)?.completed
  const wonQuery = `status=completed${within}&completedOn.gte=${month}-01`
  const worth = brief(reportedSum(pipeline, reporting), reporting)
  return html`<ul class="figures">
${count('overdue')}${late}${count('due')}${count('held')}${figure(`status=open${within}`, say('Pipeline'), worth)}${
  won !== undefined && figure(wonQuery, say('Won this month'), brief(won, reporting), 'done')
}${page.attainment && attainmentFigure(page.attainment, reporting)}</ul>
`
}

/** The won part of the reader's own target. */
function attainmentFigure({ target, won, href }: OwnAttainment, reporting: Reporting): Markup {
  const percent = percentOf(won, target)
  const value = percent === undefined ? brief(won, reporting) : percentMarkup(percent)
  const text = phrase('of my target this month, {target}', { target: brief(target, reporting) })
  return html`<li><a href="${href}"><span class="big">${value}</span> ${text}</a></li>\n`
}

const alertTitles = {
  overdue: say('Overdue deals'),
  due: say('Deals due this week'),
  held: say('Deals on hold'),
}

/** Short, with a line for each currency that has no rate. */
function brief({ value, apart }: ReportedSum, { currency }: Reporting): Markup {
  const sums = value === 0n && apart.length > 0 ? apart : [{ currency, value }, ...apart]
  const [first, ...others] = sums.map(
    (sum) => html`${briefText(Number(sum.value) / 1000)} <small>${sum.currency}</small>`,
  )
  return html`${first}${others.map((other) => html` <small class="apart">${other}</small>`)}`
}

function alert(name: Alert, { attention, today, within, addresses }: HomePage): Markup | undefined {
  const { count, deals } = attention[name]
  if (deals.length === 0) return undefined
  const all = `${addresses.deals}?${alertQueries(today, within)[name]}`
  const others = count - deals.length
  const more = html`<p><a href="${all}">${say('{count} more deals', { count: others })}</a></p>`
  return html`<section class="panel ${name}" aria-labelledby="${name}">
<h2 id="${name}"><a href="${all}">${alertTitles[name]}</a> <span class="count">${numberText(count)}</span></h2>
<ul>${deals.map((each) => line(each, name, today, addresses))}</ul>${others > 0 && more}</section>
`
}

function line(each: ShownDeal, name: Alert, today: string, addresses: Addresses): Markup {
  const about = name === 'held' ? (each.holdReason ?? '') : dueCell(each, today)
  return html`<li><a href="${addresses.deal(each.id)}">${each.name}</a> ${money(each.price, each.currency)}
<span class="quiet">${about}</span></li>
`
}

const pipelineSwitch = ({ schema, askedPipeline, addresses }: HomePage): Markup | undefined =>
  pipelineLinks(schema, askedPipeline, (filter) => withQuery(addresses.home, filter))

function pipelineMarkup({ schema, pipeline, askedPipeline, reporting, owner, addresses }: HomePage): Markup {
  if (pipeline.length === 0)
    return panel('pipeline', say('Pipeline'), html`<p class="empty">${say('No open deals.')}</p>`)
  const sums = stagesIn(schema, askedPipeline).map((stage) => {
    const all = pipeline.filter(isAt(stage))
    return { stage, sum: reportedSum(all, reporting), count: all.reduce((count, each) => count + each.count, 0) }
  })
  const rows = sums.map(({ stage, sum, count }) => ({
    label: stageMark(stage, schema, askedPipeline),
    value: Number(sum.value) / 1000,
    text: brief(sum, reporting),
    note: crumb(`${addresses.deals}?status=open&${stage.query}${ownedBy(owner)}`, say('{count} deals', { count })),
  }))
  const total = totalOf(sums.map(({ sum }) => sum))
  const count = pipeline.reduce((all, each) => all + each.count, 0)
  const caption = html`${sumMarkup(total, reporting)} ${say('in {count} open deals', { count })}`
  const apart = total.apart.map(({ currency }) => currency)
  return panel('pipeline', say('Pipeline'), [
    barRows(caption, [say('Stage'), say('Value'), say('Deals')], rows),
    reportingChoice({ reporting, apart, back: '/', addresses }),
  ])
}

function finishedMarkup({ finished, reporting }: HomePage): Markup | undefined {
  const sums = finished.flatMap(({ completed, cancelled }) => [completed, cancelled])
  if (sums.every(({ value, apart }) => value === 0n && apart.length === 0)) return undefined
  const months = finished.map(({ month, completed, cancelled }) => ({
    month,
    completed: Number(completed.value) / 1000,
    cancelled: Number(cancelled.value) / 1000,
  }))
  // Months in currencies without a rate have no columns to compare.
  if (sums.every(({ value }) => value === 0n)) {
    const all = (of: 'completed' | 'cancelled') => sumMarkup(totalOf(finished.map((month) => month[of])), reporting)
    return panel(
      'finished',
      say('Won and lost'),
      details([
        [say('Won'), all('completed')],
        [say('Lost'), all('cancelled')],
      ]),
    )
  }
  const title = say('By month, in {currency}', { currency: reporting.currency })
  return panel('finished', say('Won and lost'), monthColumns(title, 'months', months, reporting.currency))
}

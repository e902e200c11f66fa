import { numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { settingNamed } from '../../queries/settings.ts'
import { landing } from '../../representations/html/layout.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { boardList, boardSwitch, boardTabs, boardViews, OPEN } from '../deals/list.ts'
import { emptyList, filterBar, nextStep } from '../filters/filter-bar.ts'
import { newDeal } from '../home/view.ts'
import { filterFields } from '../list/filter-fields.ts'
import type { SavedViews } from '../list/saved-views.ts'
import { filtersOfTab, type Tabs, tabBar } from '../list/tabs.ts'
import { viewForms } from '../list/view-forms.ts'
import type { Names } from '../parts/names.ts'
import { pageHead } from '../parts/page-head.ts'
import type { ShownDeal } from '../parts/shown.ts'
import { type ReportedSum, type Reporting, totalOf } from '../reporting/reporting.ts'
import { reportingChoice, sumMarkup } from '../reporting/view.ts'
import { newIn } from '../stages/asked-pipeline.ts'
import { pipelineLinks } from '../stages/pipeline-links.ts'
import type { ShownStage } from '../stages/stages.ts'
import { type CardPage, cards } from './card.ts'

export interface BoardPage extends Omit<CardPage, 'back'> {
  readonly resource: Resource
  readonly columns: readonly BoardColumn[]
  readonly reporting: Reporting
  readonly parameters: readonly Parameter[]
  readonly saved: SavedViews
  /** The things that its filters name. */
  readonly filterNames: Names
  readonly isUser: boolean
}

export interface BoardColumn {
  readonly shown: ShownStage
  readonly deals: readonly ShownDeal[]
  readonly hasMore: boolean
  /** Of all deals of the column. */
  readonly count: number
  readonly sum: ReportedSum
}

/** Open deals by stage. Buttons move a card; dragging it sends the same form. */
export function boardPage(page: BoardPage): Markup {
  const { columns, parameters, addresses, commandId } = page
  const isEmpty = columns.every(({ count }) => count === 0)
  const creation = commandId && newDeal(addresses, givenTo(page))
  const head = pageHead({
    title: say('Deals'),
    beside: [totals(page), boardSwitch('board', parameters, addresses), creation],
    watch: 'all',
  })
  return html`${head}<div class="views">${tabBar(tabsOf(page))}${pipelineSwitch(page)}${filters(page)}</div>
<div id="board" data-live${commandId && html` data-moves`}>
${isEmpty && nothing(page)}${wholeBoard(page)}</div>
`
}

/** A new deal begins in the pipeline of the board, to which its form returns. */
const givenTo = ({ parameters, schema }: BoardPage) => ({
  ...newIn(parameters, schema),
  return: withQuery('/board', parameters),
})

/** The pipelines, if there are several. */
function pipelineSwitch({ schema, parameters, addresses }: BoardPage): Markup | undefined {
  const asked = parameters.find(({ name }) => name === 'pipeline')?.value
  return pipelineLinks(schema, asked, (raw) =>
    withQuery(addresses.board, [...parameters.filter(({ name }) => name !== 'pipeline'), ...raw]),
  )
}

const tabsOf = ({ addresses, parameters, isUser, saved }: BoardPage): Tabs => ({
  address: addresses.board,
  parameters,
  fixed: boardTabs(isUser, parameters),
  saved: boardViews(saved),
})

const filters = (page: BoardPage): Markup =>
  filterBar({
    collection: collectionOf(page.resource),
    address: page.addresses.board,
    action: page.addresses.filter('board'),
    parameters: page.parameters,
    shownElsewhere: [...filtersOfTab(tabsOf(page)), 'pipeline'],
    fields: filterFields(page.resource)(boardList, page.addresses),
    names: page.filterNames,
    beside: savedViews(page),
  })

/** A view of the table with the same deals as the board. */
const savedViews = ({ resource, addresses, parameters, saved }: BoardPage): Markup | undefined => {
  const query = [OPEN, ...parameters.map(({ raw }) => raw)].join('&')
  const forms = viewForms({
    collection: resource.plural,
    path: '/board',
    parameters,
    query,
    saved: boardViews(saved),
    addresses,
  })
  return forms && html`<div class="tools">${forms}</div>`
}

function nothing(page: BoardPage): Markup {
  const { resource, commandId, parameters, addresses } = page
  return emptyList({
    none: say('No open deals yet.'),
    noMatch: say('No deals match.'),
    all: say('Show all deals'),
    address: addresses.board,
    parameters,
    next: commandId && nextStep(addresses.creation(resource, givenTo(page)), say('New deal')),
  })
}

/** The worth of all of it, which opens the choice of its currency. */
function totals(page: BoardPage): Markup {
  const { columns, reporting, addresses } = page
  const back = withQuery('/board', page.parameters)
  const total = totalOf(columns.map(({ sum }) => sum))
  const count = columns.reduce((all, column) => all + column.count, 0)
  const apart = total.apart.map(({ currency }) => currency)
  const inDeals = html`<span class="quiet">${say('in {count} open deals', { count })}</span>`
  return html`<div class="totals" id="totals" data-live="unless-typing"><details class="drop"><summary><b>${sumMarkup(total, reporting)}</b> ${inDeals}</summary>
<div class="drop-panel">${reportingChoice({ reporting, apart, back, addresses })}</div></details></div>
`
}

function wholeBoard(page: BoardPage): Markup {
  const back = withQuery('/board', page.parameters)
  return html`<div class="board"${landing.cards}>
${page.columns.map((column) => columnMarkup(column, page, back))}</div>
`
}

function columnMarkup({ shown, deals, hasMore, count, sum }: BoardColumn, page: BoardPage, back: string): Markup {
  const { pipeline, stage } = shown
  const isAlone = page.columns.every((other) => other.shown.pipeline === pipeline)
  const isOne = page.schema.pipelines.length === 1
  const id = isOne ? stage : `${pipeline}-${stage}`
  const inPipeline = !isOne && html` data-pipeline="${pipeline}"`
  const all = withQuery(page.addresses.deals, [
    { raw: 'status=open' },
    { raw: shown.query },
    ...page.parameters.filter(({ name }) => settingNamed(name) !== 'sort' && (isOne || name !== 'pipeline')),
  ])
  return html`<section class="column" id="in-${id}" aria-labelledby="stage-${id}" data-stage="${stage}"${inPipeline}>
<header><h2 id="stage-${id}"><a href="${all}">${isAlone ? shown.name : shown.title}</a> <span class="count">${numberText(count)}</span></h2>
<p class="quiet">${sumMarkup(sum, page.reporting)}</p></header>
<ul>${cards(deals, { ...page, back })}</ul>
${hasMore && html`<p><a href="${all}">${say('Show all')}</a></p>`}</section>
`
}

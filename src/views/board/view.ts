import { stages } from '../../model/deal/deal.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { settingNamed } from '../../queries/settings.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { withQuery } from '../../values/address.ts'
import { boardFilters, dealsHead } from '../deals/view.ts'
import { filterBar } from '../filters/filter-bar.ts'
import { newDeal } from '../home/view.ts'
import { dueMark } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { Addresses } from '../parts/visit.ts'

export interface BoardPage {
  readonly columns: readonly BoardColumn[]
  readonly customers: ReadonlyMap<number, string>
  readonly parameters: readonly Parameter[]
  readonly now: string
  readonly addresses: Addresses
  /** Gives each form a command id; nothing for callers who may not move a deal. */
  readonly commandId: (() => string) | undefined
  /** Whether the caller is a user, who may have deals of their own. */
  readonly isUser?: boolean
}

export interface BoardColumn {
  readonly stage: ShownDeal['stage']
  readonly deals: readonly ShownDeal[]
  readonly hasMore: boolean
}

/** Open deals by stage. Buttons move a card; dragging it sends the same form. */
export function boardPage(page: BoardPage): Markup {
  const { columns, parameters, addresses } = page
  return html`${dealsHead('board', page, page.commandId && newDeal(addresses))}
${filterBar(boardFilters(addresses.board, addresses.filter('board'), parameters))}
<div class="board" id="board" data-live>
${columns.map((column) => columnMarkup(column, page))}</div>
`
}

function columnMarkup({ stage, deals, hasMore }: BoardColumn, page: BoardPage): Markup {
  const all = withQuery(page.addresses.deals, [
    { raw: 'status=open' },
    { raw: `stage=${stage}` },
    ...page.parameters.filter(({ name }) => settingNamed(name) !== 'sort'),
  ])
  return html`<section class="column" aria-labelledby="stage-${stage}" data-stage="${stage}">
<h2 id="stage-${stage}"><a href="${all}">${label(stage)}</a> <span class="count">${deals.length}${hasMore && '+'}</span></h2>
<ul>${deals.map((deal) => card(deal, page))}</ul>
${hasMore && html`<p><a href="${all}">Show all</a></p>`}</section>
`
}

function card(deal: ShownDeal, page: BoardPage): Markup {
  const { customers, addresses, now } = page
  const mayMove = !deal.held && page.commandId !== undefined
  const customer = deal.customerId === null ? undefined : customers.get(deal.customerId)
  const about = [customer, deal.owner].filter((each) => each !== undefined && each !== null).join(' · ')
  return html`<li class="card${deal.held && ' held'}" id="deal-${deal.id}"${mayMove && html` draggable="true"`}>
<h3><a href="${addresses.deal(deal.id)}">${deal.name}</a></h3>
<p>${money(deal.price, deal.currency)}</p>
${about !== '' && html`<p class="quiet">${about}</p>\n`}${deal.completionDate !== null && html`<p class="quiet">${dueMark(deal, now)}</p>\n`}${
  deal.held
    ? html`<p class="quiet"><span class="mark held">On hold</span> ${deal.holdReason ?? ''}</p>`
    : moves(deal, page)
}</li>
`
}

/** Buttons for the previous and the next stage; the deal's own page offers all stages. */
function moves(deal: ShownDeal, { addresses, commandId }: BoardPage): Markup | undefined {
  if (commandId === undefined) return undefined
  const at = stages.indexOf(deal.stage)
  const to = (stage: string | undefined, way: 'back' | 'on'): Markup | undefined =>
    stage === undefined
      ? undefined
      : html`<button type="submit" class="${way}" name="stage" value="${stage}" aria-label="Move ${deal.name} to ${stage}">${way === 'on' && label(stage)}</button>`
  return html`<form method="post" action="${addresses.ofDeal(deal.id, 'moves')}"><input type="hidden" name="_revision" value="${
    deal.revision
  }"><input type="hidden" name="_command" value="${commandId()}">${to(stages[at - 1], 'back')}${to(stages[at + 1], 'on')}</form>
`
}

import { say } from '../../languages/say.ts'
import { stages } from '../../model/deal/deal.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { dueMark } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { BoardPage } from './view.ts'

type CardPage = Pick<BoardPage, 'customers' | 'addresses' | 'today' | 'commandId'> & {
  /** The board with its filters: where a form leads back to. */
  readonly back: string
}

export function card(deal: ShownDeal, page: CardPage): Markup {
  const { customers, addresses, today } = page
  const customer = deal.customerId === null ? undefined : customers.get(deal.customerId)
  const about = [customer, deal.owner].filter((each) => each !== undefined && each !== null).join(' · ')
  return html`<li class="card${deal.held && ' held'}" id="deal-${deal.id}">
<h3><a href="${addresses.deal(deal.id)}">${deal.name}</a></h3>
<p>${money(deal.price, deal.currency)}</p>
${about !== '' && html`<p class="quiet">${about}</p>\n`}${deal.completionDate !== null && html`<p class="quiet">${dueMark(deal, today)}</p>\n`}${
  deal.held
    ? html`<p class="quiet"><span class="mark held">${say('On hold')}</span> ${deal.holdReason ?? ''}</p>`
    : moves(deal, page)
}</li>
`
}

/** Buttons for the previous and the next stage, won and lost; the deal's own page offers all stages. */
function moves(deal: ShownDeal, { addresses, commandId, today, back }: CardPage): Markup | undefined {
  if (commandId === undefined) return undefined
  const at = stages.indexOf(deal.stage)
  const { id, name } = deal
  const to = (stage: string | undefined, way: 'back' | 'on'): Markup | undefined =>
    stage === undefined
      ? undefined
      : html`<button class="${way}" name="stage" value="${stage}" aria-label="${say('Move {deal} to {stage}', { deal: name, stage: say(label(stage)) })}"></button>`
  return html`<form method="post" action="${addresses.ofDeal(id, 'moves')}"><input type="hidden" name="_revision" value="${
    deal.revision
  }"><input type="hidden" name="_command" value="${commandId()}"><input type="hidden" name="_return" value="${back}">${to(stages[at - 1], 'back')}<button class="won" formaction="${addresses.ofDeal(
    id,
    'completions',
  )}" name="completedOn" value="${today}" aria-label="${say('Won: {deal}', { deal: name })}"></button><a class="lost" href="${addresses.ofDeal(
    id,
    'actions/cancel',
  )}" aria-label="${say('Lost: {deal}', { deal: name })}"></a>${to(stages[at + 1], 'on')}</form>
`
}

import { dateText } from '../../languages/formats.ts'
import { oncePerLanguage } from '../../languages/once-per-language.ts'
import { say } from '../../languages/say.ts'
import { stages } from '../../model/deal/deal.ts'
import { label } from '../../representations/html/label.ts'
import { escapeHtml, Markup } from '../../representations/html/markup.ts'
import { nearMark } from '../parts/marks.ts'
import { decimal } from '../parts/money.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { Addresses } from '../parts/visit.ts'

export interface CardPage {
  readonly customers: ReadonlyMap<number, string>
  /** The day of whoever reads. */
  readonly today: string
  readonly addresses: Addresses
  /** Gives each form a command id; nothing for callers who may not move a deal. */
  readonly commandId: (() => string) | undefined
  /** The board with its filters: where a form leads back to. */
  readonly back: string
}

/** Written as a string, because a board has a hundred cards. It escapes whatever a client wrote. */
export function card(deal: ShownDeal, page: CardPage): Markup {
  const { customers, addresses, today } = page
  const { id, held, holdReason, customerId, owner } = deal
  const name = escapeHtml(deal.name)
  const customer = customerId === null ? undefined : customers.get(customerId)
  const about = [customer, owner].filter((each) => each !== undefined && each !== null).join(' · ')
  const due = dueText(deal, today)
  return Markup.of(`<li class="card${held ? ' held' : ''}" id="deal-${id}"><h3><a href="${escapeHtml(addresses.deal(id))}">${name}</a></h3><p>${decimal(
    deal.price,
    deal.currency,
  )} <small>${deal.currency}</small></p>${about === '' ? '' : `<p>${escapeHtml(about)}</p>`}${due === undefined ? '' : `<p>${due}</p>`}${
    held
      ? `<p><span class="mark held">${wordsOnCards().held}</span> ${escapeHtml(holdReason ?? '')}</p>`
      : moves(deal, name, page)
  }</li>
`)
}

/** The date, and whether it is near or past. */
function dueText({ completionDate }: ShownDeal, today: string): string | undefined {
  if (completionDate === null) return undefined
  return `${escapeHtml(dateText(completionDate))} ${nearMark(completionDate, today) ?? ''}`.trim()
}

/** Buttons for the previous and the next stage, won and lost; the deal's own page offers all stages. */
function moves(
  { id, stage, revision }: ShownDeal,
  name: string,
  { addresses, commandId, today, back }: CardPage,
): string {
  if (commandId === undefined) return ''
  const words = wordsOnCards()
  const to = (at: number, way: 'back' | 'on'): string => {
    const other = stages[at]
    return other === undefined
      ? ''
      : `<button type="submit" class="${way}" name="stage" value="${other}" aria-label="${words.to[at]?.(name)}"></button>`
  }
  const at = stages.indexOf(stage)
  const address = (part: string): string => escapeHtml(addresses.ofDeal(id, part))
  const hidden = (field: string, value: string | number): string =>
    `<input type="hidden" name="${field}" value="${value}">`
  return `<form method="post" action="${address('moves')}">${hidden('_revision', revision)}${hidden('_command', commandId())}${hidden(
    '_return',
    escapeHtml(back),
  )}${to(at - 1, 'back')}<button type="submit" class="won" formaction="${address('completions')}" name="completedOn" value="${today}" aria-label="${words.won(
    name,
  )}"></button><a class="lost" href="${address('actions/cancel')}" aria-label="${words.lost(name)}"></a>${to(at + 1, 'on')}</form>`
}

const wordsOnCards = oncePerLanguage(() => ({
  held: escapeHtml(say('On hold')),
  won: around((deal) => say('Won: {deal}', { deal })),
  lost: around((deal) => say('Lost: {deal}', { deal })),
  to: stages.map((stage) => around((deal) => say('Move {deal} to {stage}', { deal, stage: say(label(stage)) }))),
}))

/** The text around the name of a deal, which is escaped already. */
function around(write: (deal: string) => string): (deal: string) => string {
  const [before = '', after = ''] = write('\n').split('\n').map(escapeHtml)
  return (deal) => before + deal + after
}

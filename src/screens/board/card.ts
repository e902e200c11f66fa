import type { Addresses } from '../../http/contract/addresses.ts'
import { dateText } from '../../languages/formats.ts'
import type { Language } from '../../languages/language.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { escapeHtml, Markup } from '../../representations/markup/markup.ts'
import { onceFor } from '../../values/memoize.ts'
import type { MarkStale } from '../deals/stale.ts'
import { nearMark } from '../parts/marks.ts'
import { decimal } from '../parts/money.ts'
import type { Names } from '../parts/names.ts'
import { initialsMarkup, personName } from '../parts/person.ts'
import type { ShownDeal } from '../parts/shown.ts'
import { stageAt, stagesOf } from '../stages/stages.ts'

export interface CardPage {
  readonly schema: Schema
  /** The names of the deals' customers. */
  readonly names: Names
  /** Marks deals that have been in their stage for too long. */
  readonly stale: MarkStale
  /** The reader's day. */
  readonly today: string
  readonly addresses: Addresses
  /** Gives each form a command id; undefined for callers who may not move a deal. */
  readonly commandId: (() => string) | undefined
  /** The board with its filters, to which a form returns. */
  readonly back: string
}

export const cards = (deals: readonly ShownDeal[], page: CardPage): Markup =>
  Markup.inRows(function* (reader) {
    const words = wordsOnCards(page.schema)(reader.language, reader)
    for (const deal of deals) yield card(deal, page, words, reader)
  })

/** Written as a string, because a board has a hundred cards. It escapes all client text. */
function card(deal: ShownDeal, page: CardPage, words: WordsOnCards, reader: Reader): string {
  const { names, addresses, today } = page
  const { id, held, holdReason, customerId, owner } = deal
  const name = escapeHtml(deal.name)
  const customer = customerId === null ? undefined : names.get('customer')?.get(customerId)
  const who = owner === null ? '' : initialsMarkup(personName(owner)(reader))
  const price = `${decimal(deal.price, deal.currency)(reader)} <small>${deal.currency}</small>`
  const hold = `<p><span class="mark held">${words.held}</span> <span class="customer">${escapeHtml(holdReason ?? '')}</span></p>`
  return `<li class="card${held ? ' held' : ''}" id="deal-${id}">
<h3><a href="${escapeHtml(addresses.deal(id))}" draggable="false">${name}</a></h3>
<p><b>${price}</b>${dueText(deal, today, reader)}</p>${line(customer === undefined && who === '' ? '' : `<span class="customer">${escapeHtml(customer ?? '')}</span>${who}`)}${line(page.stale(deal)?.for(reader) ?? '')}
${held ? hold : moves(deal, name, page, words)}</li>
`
}

const line = (text: string): string => (text === '' ? '' : `\n<p>${text}</p>`)

/** The date, or how near or past it is. */
function dueText({ completionDate }: ShownDeal, today: string, reader: Reader): string {
  if (completionDate === null) return ''
  const date = escapeHtml(dateText(completionDate)(reader))
  return ` <span title="${date}">${nearMark(completionDate, today)?.for(reader) ?? date}</span>`
}

/**
 * Buttons for the previous and the next stage, won and lost, and for a change in place, which needs a script; the deal's
 * own page offers all stages.
 */
function moves(
  { id, pipeline, stage, revision }: ShownDeal,
  name: string,
  { schema, addresses, commandId, today, back }: CardPage,
  words: WordsOnCards,
): string {
  if (commandId === undefined) return ''
  const stages = stagesOf(schema).filter((each) => each.pipeline === pipeline)
  const at = (stageAt(schema, { pipeline, stage })?.far ?? 0) - 1
  const address = (part: string): string => escapeHtml(addresses.ofDeal(id, part))
  const hidden = (field: string, value: string | number): string =>
    `<input type="hidden" name="${field}" value="${value}">`
  const button = (kind: string, field: string, value: string, text: string, more = ''): string =>
    `<button type="submit" class="${kind}" name="${field}" value="${value}" aria-label="${text}"${more}></button>`
  const titled = (title: string): string => ` title="${title}"`
  const to = (place: number, way: 'back' | 'on'): string => {
    const other = stages[place]
    return other === undefined ? '' : button(way, 'stage', other.stage, words.to.get(other)?.(name) ?? '')
  }
  const change = `<button type="button" class="change" aria-label="${words.change(name)}"${titled(words.toChange)}></button>`
  const completion = ` formaction="${address('completions')}"${titled(words.asWon)}`
  const won = button('won', 'completedOn', today, words.won(name), completion)
  const lost = `<a class="lost" href="${address('actions/cancel')}" aria-label="${words.lost(name)}"${titled(words.asLost)}></a>`
  return `<form method="post" action="${address('moves')}">
${hidden('_revision', revision)}${hidden('_command', commandId())}${hidden('_return', escapeHtml(back))}
${to(at - 1, 'back')}${change}${won}${lost}${to(at + 1, 'on')}</form>`
}

const wordsOnCards = bySchema((schema: Schema) =>
  onceFor((_language: Language, reader: Reader) => {
    const deal = '\n'
    return {
      held: escapeHtml(say('On hold')(reader)),
      change: around(say('Change {deal}', { deal })(reader)),
      toChange: escapeHtml(say('Change')(reader)),
      asWon: escapeHtml(say('Won')(reader)),
      asLost: escapeHtml(say('Lost')(reader)),
      won: around(say('Won: {deal}', { deal })(reader)),
      lost: around(say('Lost: {deal}', { deal })(reader)),
      to: new Map(
        stagesOf(schema).map((stage) => [
          stage,
          around(say('Move {deal} to {stage}', { deal, stage: stage.name })(reader)),
        ]),
      ),
    }
  }),
)

type WordsOnCards = ReturnType<ReturnType<typeof wordsOnCards>>

/** The text before and after the name of a deal, which is already escaped. */
function around(text: string): (deal: string) => string {
  const [before = '', after = ''] = text.split('\n').map(escapeHtml)
  return (deal) => before + deal + after
}

import type { Addresses } from '../../http/contract/addresses.ts'
import { codeName, dayIn } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import { label } from '../../representations/html/label.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import type { DataObject } from '../../representations/read-document.ts'
import { dueMark, statusMarks } from '../parts/marks.ts'
import { dateMarkup } from '../parts/moment.ts'
import { money } from '../parts/money.ts'
import type { Names } from '../parts/names.ts'
import { pageHead } from '../parts/page-head.ts'
import { personName } from '../parts/person.ts'
import type { ShownCustomer, ShownDeal } from '../parts/shown.ts'
import { stageMark } from '../stages/stages.ts'
import type { ReadersDay } from '../task-panel/due.ts'
import { marking } from './marking.ts'

export interface SearchPage extends ReadersDay {
  /** Undefined before a search. */
  readonly text: string | undefined
  readonly groups: readonly FoundGroup[]
  /** A text that finds something, if this one finds nothing. */
  readonly didYouMean: string | undefined
  /** The names of the deals' customers. */
  readonly names: Names
  readonly schema: Schema
  readonly addresses: Addresses
}

/** The things of one kind. */
export interface FoundGroup {
  readonly type: string
  readonly plural: string
  readonly entries: readonly { readonly name: string; readonly href: string; readonly thing: DataObject }[]
  /** The address of all matches; absent if these are all. */
  readonly all?: string
}

export function searchPage(page: SearchPage): Markup {
  const { text, groups, addresses } = page
  const name = say('Search for')
  const found = groups.length > 0 && groups.map((group) => groupMarkup(group, page))
  return html`${pageHead({ title: say('Search') })}<form class="seek" action="${addresses.search}" aria-label="${name}">
<input type="search" name="q" value="${text ?? ''}" maxlength="200" required aria-label="${name}">
<button type="submit">${say('Search|verb')}</button>
</form>
<div id="found">
${found || html`<p class="empty">${nothingText(text)}</p>`}${meantMarkup(page)}</div>
`
}

function meantMarkup({ didYouMean, addresses }: SearchPage): Markup | undefined {
  if (didYouMean === undefined) return undefined
  const link = html`<a href="${addresses.search}?q=${encodeURIComponent(didYouMean)}">${didYouMean}</a>`
  return html`<p>${phrase('Did you mean {text}?', { text: link })}</p>\n`
}

const nothingText = (text: string | undefined): Text =>
  text === undefined
    ? say('Names, companies, e-mail addresses, phone numbers, notes, or the number of a customer.')
    : say('Nothing found for “{text}”. Every word must occur: try fewer words, or the beginning of one.', { text })

function groupMarkup({ type, plural, entries, all }: FoundGroup, page: SearchPage): Markup {
  const mark = marking(page.text ?? '')
  const rows = entries.map(
    ({ name, href, thing }) =>
      html`<li><a href="${href}">${mark(name)}</a> <span class="quiet">${whatMatters(type, thing, page)}</span></li>\n`,
  )
  return html`<section class="panel" aria-labelledby="found-${type}">
<h2 id="found-${type}">${say(label(plural))}</h2>
<ul class="hits">
${rows}</ul>
${all !== undefined && html`<p><a href="${all}">${say('Show all that match')}</a></p>\n`}</section>
`
}

/** Details that distinguish a thing from others of its name. */
function whatMatters(type: string, thing: DataObject, page: SearchPage): Markup {
  const tell = tellers[type]
  const mark = marking(page.text ?? '')
  const reference = typeof thing.reference === 'string' ? [thing.reference] : []
  const told = [...reference, ...(tell === undefined ? [] : tell(thing, page))].filter(isTold)
  return html`${told.map((each, at) => html`${at > 0 && ' · '}${typeof each === 'string' ? mark(each) : each}`)}`
}

const isTold = (hole: Hole): boolean => hole !== undefined && hole !== null && hole !== false && hole !== ''

const tellers: { readonly [type: string]: (thing: DataObject, page: SearchPage) => readonly Hole[] } = {
  customer(thing) {
    const { company, email, phone, country } = thing as unknown as ShownCustomer
    return [company ?? '', email ?? '', phone ?? '', country === null ? '' : codeName('region', country)]
  },
  person(thing) {
    return typeof thing.fullName === 'string' ? [String(thing.name)] : []
  },
  deal(thing, { names, schema, today }) {
    const deal = thing as unknown as ShownDeal
    const isOpen = deal.status === 'open' && deal.deletedAt === null
    return [
      money(deal.price, deal.currency),
      isOpen && !deal.held ? stageMark(deal, schema) : statusMarks(deal),
      deal.customerId === null ? '' : (names.get('customer')?.get(deal.customerId) ?? ''),
      deal.owner === null ? '' : personName(deal.owner),
      isOpen && dueMark(deal, today),
    ]
  },
  task(thing, { timeZone }) {
    const { dueOn, dueAt, assignee, status } = thing as unknown as Task
    const day = dueOn ?? (dueAt === null ? null : dayIn(dueAt, timeZone))
    return [
      status === 'done' && say('Done'),
      day !== null && dateMarkup(day),
      assignee === null ? '' : personName(assignee),
    ]
  },
}

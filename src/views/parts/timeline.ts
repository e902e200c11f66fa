import { dateText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { deal as deals } from '../../model/deal/deal.ts'
import { happenings } from '../../model/event-types.ts'
import type { Params, Sentence } from '../../model/operation.ts'
import { operationNamed, resourceNamed } from '../../model/resources.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { agoMarkup, instantMarkup } from './moment.ts'
import { decimal } from './money.ts'
import type { Amount, ShownActivity, ShownDeal, ShownEntry } from './shown.ts'
import type { Addresses } from './visit.ts'

type TimelineSubject = Pick<ShownDeal, 'id' | 'currency'>

/** The entries of one deal's history. */
export const timeline = (
  entries: readonly ShownEntry[],
  { id, currency }: TimelineSubject,
  addresses: Addresses,
): Markup =>
  html`<ol class="timeline">${entries.map(
    (entry) => html`<li${tone(entry)}><p>${entryMarkup(entry, currency)}</p>
<p class="quiet"><a href="${addresses.entry(id, 'history', entry.revision)}">Revision ${entry.revision}</a>, ${instantMarkup(
      entry.at,
    )}, <a href="${addresses.past(deals, id, entry.revision)}">as it was then</a>${entry.commandId !== undefined && html`, ${commandLink(entry.commandId, addresses)}`}</p></li>
`,
  )}</ol>
`

/** The latest events of all deals. */
export const activityList = (activities: readonly ShownActivity[], now: string, addresses: Addresses): Markup =>
  html`<ol class="timeline">${activities.map(
    (activity) => html`<li${tone(activity, activity.resource)}><p>${thingLink(activity, addresses)}</p>
<p>${entryMarkup(activity, activity.thing.currency ?? '', activity.resource)} <span class="quiet">${agoMarkup(activity.at, Date.parse(now))}</span></p></li>
`,
  )}</ol>
`

/** TimelineSubject a thing that is gone only its id is known; an import is about no customer in particular. */
function thingLink({ resource, thing }: ShownActivity, addresses: Addresses): Markup {
  if (thing.id === undefined) return html`<a href="${addresses.customers}">Customers</a>`
  if (thing.name === undefined) return phrase('{resource} {id}', { resource: say(resource), id: thing.id })
  return html`<a href="${addresses.thing(resourceNamed(resource), thing.id)}">${thing.name}</a>`
}

/** Who did what. Without an actor, as in an open service, the sentence begins with the verb. */
export function entryMarkup(entry: ShownEntry, currency: string, resource = 'deal'): Markup {
  const { done, said } = sentenceOf(entry, currency, resource)
  return html`${
    entry.actor === null ? done.charAt(0).toUpperCase() + done.slice(1) : html`<b>${entry.actor}</b> ${done}`
  }${said !== undefined && html`<q>${said}</q>`}`
}

/** What was done, in the words of the operation. An operation that no longer exists is named. */
function sentenceOf(
  { operation, params }: Pick<ShownEntry, 'operation' | 'params'>,
  currency: string,
  resource = 'deal',
): Sentence {
  const known = happenings.find(({ name, on }) => name === operation && on.name === resource)
  if (known === undefined) return { done: `did “${label(operation)}”` }
  return known.sentence(params as Params, {
    amount: (value) => `${decimal((value ?? 0) as unknown as Amount, currency)} ${currency}`,
    date: (value) => dateText(String(value)),
  })
}

export const commandLink = (commandId: string, addresses: Addresses): Markup =>
  html`<a href="${addresses.command(commandId)}">command</a>`

/** The colour of the mark that the operation is about. */
function tone({ operation }: ShownEntry, resource = 'deal'): Markup | undefined {
  const { changes = [], danger } = operationNamed(operation, resourceNamed(resource)) ?? {}
  if (danger) return html` class="off"`
  if (changes.includes('held')) return html` class="held"`
  return changes.includes('paid') || changes.includes('completedOn') ? html` class="done"` : undefined
}

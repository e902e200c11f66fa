import { operationNamed } from '../../model/deal/operations.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { agoMarkup, instantMarkup } from './moment.ts'
import { isDangerous, sentenceOf } from './operation-words.ts'
import type { ShownActivity, ShownDeal, ShownEntry } from './shown.ts'
import type { Addresses } from './visit.ts'

type Of = Pick<ShownDeal, 'id' | 'currency'>

/** The entries of one deal's history. */
export const timeline = (entries: readonly ShownEntry[], { id, currency }: Of, addresses: Addresses): Markup =>
  html`<ol class="timeline">${entries.map(
    (entry) => html`<li${tone(entry)}><p>${entryMarkup(entry, currency)}</p>
<p class="quiet"><a href="${addresses.entry(id, 'history', entry.revision)}">Revision ${entry.revision}</a>, ${instantMarkup(
      entry.at,
    )}${entry.commandId !== undefined && html`, ${commandLink(entry.commandId, addresses)}`}</p></li>
`,
  )}</ol>
`

/** The latest events of all deals. */
export const activityList = (activities: readonly ShownActivity[], now: string, addresses: Addresses): Markup =>
  html`<ol class="timeline">${activities.map(
    (
      activity,
    ) => html`<li${tone(activity)}><p><a href="${addresses.deal(activity.deal.id)}">${activity.deal.name}</a></p>
<p>${entryMarkup(activity, activity.deal.currency)} <span class="quiet">${agoMarkup(activity.at, Date.parse(now))}</span></p></li>
`,
  )}</ol>
`

/** Who did what. Without an actor, as in an open service, the sentence begins with the verb. */
export function entryMarkup(entry: ShownEntry, currency: string): Markup {
  const { done, said } = sentenceOf(entry, currency)
  return html`${
    entry.actor === null ? done.charAt(0).toUpperCase() + done.slice(1) : html`<b>${entry.actor}</b> ${done}`
  }${said !== undefined && html`<q>${said}</q>`}`
}

export const commandLink = (commandId: string, addresses: Addresses): Markup =>
  html`<a href="${addresses.command(commandId)}">command</a>`

/** The colour of the mark that the operation is about. */
function tone({ operation }: ShownEntry): Markup | undefined {
  const changes = operationNamed(operation)?.changes ?? []
  if (isDangerous(operation)) return html` class="off"`
  if (changes.includes('held')) return html` class="held"`
  return changes.includes('paid') || changes.includes('completedOn') ? html` class="done"` : undefined
}

import { html, type Markup } from '../../representations/html/markup.ts'
import { entryMarkup } from './entry-text.ts'
import { agoMarkup, instantMarkup } from './moment.ts'
import type { ShownActivity, ShownDeal, ShownEntry } from './shown.ts'
import type { Addresses } from './visit.ts'

type Of = Pick<ShownDeal, 'id' | 'currency'>

/** What happened to one deal, in the order of the entries. */
export const timeline = (entries: readonly ShownEntry[], { id, currency }: Of, addresses: Addresses): Markup =>
  html`<ol class="timeline">${entries.map(
    (entry) => html`<li class="${entry.operation}"><p>${entryMarkup(entry, currency)}</p>
<p class="quiet"><a href="${addresses.entry(id, 'history', entry.revision)}">Revision ${entry.revision}</a>, ${instantMarkup(
      entry.at,
    )}, ${formMarkup(entry, addresses)}</p></li>
`,
  )}</ol>
`

/** The form it was asked in, and the command that it was. */
export function formMarkup({ form, commandId }: ShownEntry, addresses: Addresses): Markup {
  const text = form.replaceAll('-', ' ')
  if (commandId === undefined) return html`${text}`
  const link = (name: string): Markup => html`<a href="${addresses.command(commandId)}">${name}</a>`
  return form.endsWith('command') ? link(text) : html`${text}, ${link('its command')}`
}

/** What happened anywhere, latest first. */
export const activityList = (activities: readonly ShownActivity[], now: string, addresses: Addresses): Markup =>
  html`<ol class="timeline">${activities.map(
    (
      activity,
    ) => html`<li class="${activity.operation}"><p><a href="${addresses.deal(activity.deal.id)}">${activity.deal.name}</a></p>
<p>${entryMarkup(activity, activity.deal.currency)} <span class="quiet">${agoMarkup(activity.at, Date.parse(now))}</span></p></li>
`,
  )}</ol>
`

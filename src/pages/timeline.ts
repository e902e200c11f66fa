import { html, type Markup } from '../representations/html/markup.ts'
import { entryMarkup } from './entry-text.ts'
import { agoMarkup, instantMarkup } from './moment.ts'
import type { Places } from './places.ts'
import type { ShownActivity, ShownEntry } from './shown.ts'

/** What happened to one deal, latest first. */
export const timeline = (entries: readonly ShownEntry[], deal: string, places: Places): Markup =>
  html`<ol class="timeline">${entries.map(
    (entry) => html`<li class="${entry.operation}"><p>${entryMarkup(entry)}</p>
<p class="quiet"><a href="${places.entry(deal, 'history', entry.revision)}">Revision ${entry.revision}</a>, ${instantMarkup(
      entry.at,
    )}, ${entry.form.replaceAll('-', ' ')}${entry.commandId !== undefined && html`, <a href="${places.command(entry.commandId)}">command</a>`}</p></li>
`,
  )}</ol>
`

/** What happened anywhere, latest first. */
export const activityList = (activities: readonly ShownActivity[], now: string, places: Places): Markup =>
  html`<ol class="timeline">${activities.map(
    (
      activity,
    ) => html`<li class="${activity.operation}"><p><a href="${places.deal(activity.deal.id)}">${activity.deal.name}</a></p>
<p>${entryMarkup(activity)} <span class="quiet">${agoMarkup(activity.at, Date.parse(now))}</span></p></li>
`,
  )}</ol>
`

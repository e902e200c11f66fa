import { say } from '../../languages/say.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { dealTable } from '../parts/deal-table.ts'
import type { ShownActivity, ShownDeal } from '../parts/shown.ts'
import { activityList } from '../parts/timeline.ts'
import type { Addresses, View } from '../parts/visit.ts'

export interface PersonPage {
  readonly name: string
  readonly fullName: string | null
  readonly isUser: boolean
  readonly deals: readonly ShownDeal[]
  readonly hasMore: boolean
  readonly customers: ReadonlyMap<number, string>
  readonly activity: readonly ShownActivity[]
  /** For admins, where the name is no user's. */
  readonly match?: DocumentForm
  /** Whether the user can be changed from here. */
  readonly isAdmin: boolean
  /** The panel of their tasks. */
  readonly tasks: View
  readonly now: string
  readonly addresses: Addresses
}

export function personPage(page: PersonPage): Markup {
  const { name, fullName, isUser, deals, customers, activity, match, now, addresses } = page
  const address = `${addresses.deals}?owner=${encodeURIComponent(name)}`
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.people}">People</a></p>
<h1>${fullName ?? name}</h1>
${fullName !== null && html`<p class="quiet">${name}</p>\n`}${!isUser && html`<p class="notice">Nobody signs in under this name. It was given to deals as text.</p>\n`}</div>
${page.isAdmin && html`<p><a class="button" href="${addresses.user(name)}">Edit the user</a></p>\n`}</header>
${page.tasks()}<section class="panel" aria-labelledby="deals"><h2 id="deals">Open deals</h2>
${
  deals.length === 0
    ? html`<p class="empty">No open deals.</p>\n`
    : dealTable({
        caption: say(page.hasMore ? '{count} open deals, more follow' : '{count} open deals', { count: deals.length }),
        deals,
        list: { customers, address: addresses.deals, parameters: ownersParameters(name) },
        now,
        addresses,
      })
}<p><a href="${address}">All deals of ${fullName ?? name}</a></p></section>
${match && html`<section class="panel" aria-labelledby="match"><h2 id="match">${match.title}</h2><p>The open deals are assigned to that user. Finished deals keep the name that they had.</p>${framedForm(match, 'match-form')}</section>\n`}<section class="panel" aria-labelledby="activity"><h2 id="activity">Activity</h2>
${activity.length === 0 ? html`<p class="empty">Nothing yet.</p>\n` : activityList(activity, now, addresses)}</section>
`
}

/** Sorting leads to the list of the same deals. */
const ownersParameters = (name: string) => [
  { name: 'owner', value: name, raw: `owner=${encodeURIComponent(name)}`, fault: undefined },
  { name: 'status', value: 'open', raw: 'status=open', fault: undefined },
]

import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { asSegment } from '../../values/address.ts'
import { dealTable } from '../deals/deal-table.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import type { ShownActivity, ShownDeal } from '../parts/shown.ts'
import { activityList } from '../parts/timeline.ts'
import type { Addresses, View } from '../parts/visit.ts'
import type { ReportedSum, Reporting } from '../reporting/reporting.ts'
import { reportingChoice, sumMarkup } from '../reporting/view.ts'

export interface PersonPage {
  readonly name: string
  readonly fullName: string | null
  readonly isUser: boolean
  readonly dealResource: Resource
  readonly deals: readonly ShownDeal[]
  readonly hasMore: boolean
  readonly customers: ReadonlyMap<number, string>
  /** Of all their open deals. */
  readonly count: number
  readonly sum: ReportedSum
  readonly reporting: Reporting
  readonly activity: readonly ShownActivity[]
  /** For admins, where the name is no user's: the users whose it may be. */
  readonly users: readonly string[]
  /** Whether the user can be changed from here. */
  readonly mayEdit: boolean
  /** The panel of their tasks. */
  readonly tasks: View
  readonly now: string
  readonly addresses: Addresses
}

export function personPage(page: PersonPage): Markup {
  const { name, fullName, isUser, activity, now, addresses } = page
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.people}">${say('People')}</a></p>
<h1>${fullName ?? name}</h1>
${fullName !== null && html`<p class="quiet">${name}</p>\n`}${!isUser && html`<p class="quiet">${say('Nobody signs in under this name. It was given to deals as text.')}</p>\n`}</div>
${page.mayEdit && html`<p><a class="button" href="${addresses.user(name)}">${say('Edit the user')}</a></p>\n`}</header>
${dealsPanel(page)}<div class="columns leading">
<div>${page.tasks()}${page.users.length > 0 && matchPanel(page)}</div>
<section class="panel" aria-labelledby="activity"><h2 id="activity">${say('Activity')}</h2>
${activity.length === 0 ? html`<p class="empty">${say('Nothing yet.')}</p>\n` : activityList(activity, now, addresses)}</section>
</div>
`
}

/** What their open deals are worth together. */
function worth({ name, count, sum, reporting, addresses }: PersonPage): Markup {
  const choice = reportingChoice({
    reporting,
    apart: sum.apart.map(({ currency }) => currency),
    back: `/people/${asSegment(name)}`,
    addresses,
  })
  return html`<p>${phrase('{count} open deals worth {sum}', { count, sum: html`<b>${sumMarkup(sum, reporting)}</b>` })}</p>
${choice}`
}

function dealsPanel(page: PersonPage): Markup {
  const { name, fullName, deals, hasMore, customers, now, addresses } = page
  return html`<section class="panel" aria-labelledby="deals"><h2 id="deals">${say('Open deals')}</h2>
${
  deals.length === 0
    ? html`<p class="empty">${say('No open deals.')}</p>\n`
    : html`${worth(page)}${dealTable({
        resource: page.dealResource,
        caption: say(hasMore ? '{count} open deals, more follow' : '{count} open deals', { count: deals.length }),
        deals,
        list: { customers, address: addresses.deals, parameters: ownersParameters(name), without: ['owner'] },
        now,
        addresses,
      })}`
}<p><a href="${addresses.deals}?owner=${encodeURIComponent(name)}">${say('All deals of {name}', { name: fullName ?? name })}</a></p></section>
`
}

function matchPanel({ name, users, addresses }: PersonPage): Markup {
  const form: DocumentForm = {
    title: say('Who is this?'),
    action: `${addresses.person(name)}/matches`,
    method: 'post',
    submit: say('Give them the open deals'),
    fields: [
      {
        name: 'user',
        label: say('User'),
        schema: { type: 'string' },
        choices: users.map((user) => ({ value: user, text: user })),
        required: true,
      },
    ],
    hidden: {},
  }
  return html`<section class="panel" aria-labelledby="match"><h2 id="match">${form.title}</h2><p>${say('The open deals are assigned to that user. Finished deals keep the name that they had.')}</p>${framedForm(form, 'match-form')}</section>
`
}

/** Sorting leads to the list of the same deals. */
const ownersParameters = (name: string) => [
  { name: 'owner', value: name, raw: `owner=${encodeURIComponent(name)}`, fault: undefined },
  { name: 'status', value: 'open', raw: 'status=open', fault: undefined },
]

import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { asSegment } from '../../values/address.ts'
import { dealList } from '../deals/list.ts'
import { thingTable } from '../list/thing-table.ts'
import type { Names } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import type { SeenThing, ShownActivity } from '../parts/shown.ts'
import { activityList } from '../parts/timeline.ts'
import { correctionForm, type Held } from '../people/correction.ts'
import type { ReportedSum, Reporting } from '../reporting/reporting.ts'
import { reportingChoice, sumMarkup } from '../reporting/view.ts'

export interface PersonPage {
  readonly name: string
  readonly fullName: string | null
  readonly isUser: boolean
  readonly dealResource: Resource
  readonly deals: readonly SeenThing[]
  readonly hasMore: boolean
  /** The names of the deals' customers. */
  readonly names: Names
  /** The number of all their open deals. */
  readonly count: number
  readonly sum: ReportedSum
  readonly reporting: Reporting
  readonly activity: readonly ShownActivity[]
  /** For admins: the users who may get what this one looks after. */
  readonly people: Held['people']
  /** Whether the user can be changed from here. */
  readonly mayEdit: boolean
  /** The panel of their tasks. */
  readonly tasks: Screen
  readonly now: string
  readonly addresses: Addresses
}

export function personPage(page: PersonPage): Markup {
  const { name, fullName, isUser, mayEdit, activity, now, addresses } = page
  const nobody = html`<p class="quiet">${say('No user has this name. It was entered as text on deals.')}</p>\n`
  const head = pageHead({
    crumbs: crumb(addresses.people, say('People')),
    title: fullName ?? name,
    about: fullName !== null && name,
    below: !isUser && nobody,
    beside: mayEdit && html`<p><a class="button" href="${addresses.user(name)}">${say('Edit the user')}</a></p>\n`,
  })
  const nothing = html`<p class="empty">${say('Nothing yet.')}</p>\n`
  const done = activity.length === 0 ? nothing : activityList(activity, now, addresses)
  return html`${head}${dealsPanel(page)}<div class="columns leading">
<div>${page.tasks()}${page.people.length > 0 && handOverPanel(page)}</div>
${panel('activity', say('Activity'), done)}</div>
`
}

/** The worth of their open deals. */
function worth({ name, count, sum, reporting, addresses }: PersonPage): Markup {
  const choice = reportingChoice({
    reporting,
    apart: sum.apart.map(({ currency }) => currency),
    back: `/people/${asSegment(name)}`,
    addresses,
  })
  const bold = html`<b>${sumMarkup(sum, reporting)}</b>`
  return html`<p>${phrase('{count} open deals worth {sum}', { count, sum: bold })}</p>
${choice}`
}

function dealsPanel(page: PersonPage): Markup {
  const { name, fullName, dealResource, deals, hasMore, names, now, addresses } = page
  const caption = say(hasMore ? '{count} open deals, more follow' : '{count} open deals', { count: deals.length })
  const table = thingTable({
    ...{ resource: dealResource, screen: dealList, caption, things: deals, names, without: ['owner'], now, addresses },
    sorted: { address: addresses.deals, parameters: ownersParameters(name) },
  })
  const href = `${addresses.deals}?owner=${encodeURIComponent(name)}`
  const content = deals.length === 0 ? html`<p class="empty">${say('No open deals.')}</p>\n` : [worth(page), table]
  const all = html`<p><a href="${href}">${say('All deals of {name}', { name: fullName ?? name })}</a></p>`
  return panel('deals', say('Open deals'), [content, all])
}

function handOverPanel({ name, people, addresses }: PersonPage): Markup {
  const about = say('All deals, tasks and other entries of this name, deleted ones too, get another user.')
  const held = { name, people, back: '/people', addresses }
  const form = correctionForm(held, 'hand-over-form', say('Hand over'))
  return panel('hand-over', say('Hand over'), html`<p>${about}</p>${form}`)
}

/** Sorting leads to the list of the same deals. */
const ownersParameters = (name: string) => [
  { name: 'owner', value: name, raw: `owner=${encodeURIComponent(name)}`, fault: undefined },
  { name: 'status', value: 'open', raw: 'status=open', fault: undefined },
]

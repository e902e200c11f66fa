import { say } from '../../languages/say.ts'
import { resourceNamed } from '../../model/resources.ts'
import { collections } from '../../queries/collections.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { emptyList, filterBar } from '../filters/filter-bar.ts'
import { details } from '../parts/details.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import type { ShownCommand, ShownDeal } from '../parts/shown.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface CommandsPage {
  readonly commands: readonly ShownCommand[]
  /** Set where the list is of one deal. */
  readonly deal: ShownDeal | undefined
  readonly parameters: readonly Parameter[]
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

/** A list of commands. */
export function commandsPage({ commands, deal, parameters, links, now, addresses }: CommandsPage): Markup {
  return html`<header class="head"><div>${
    deal !== undefined &&
    html`<p class="crumbs"><a href="${addresses.deals}">Deals</a> / <a href="${addresses.deal(deal.id)}">${deal.name}</a></p>`
  }<h1>Commands</h1><p class="quiet">Requests to change a deal, each under an id that its client chose and done at most once.</p></div></header>
${deal === undefined && filters(parameters, addresses)}
${
  commands.length === 0
    ? emptyList({
        none: say('No commands yet.'),
        noMatch: say('No command matches.'),
        all: say('Show all commands'),
        address: addresses.commands,
        parameters,
      })
    : html`<section class="table" aria-labelledby="commands-caption" tabindex="0">
<table>
<caption id="commands-caption">${say('{count} commands shown', { count: commands.length })}</caption>
<thead><tr><th scope="col">Id</th><th scope="col">Action</th><th scope="col">Status</th><th scope="col" class="wide">About</th><th scope="col" class="wide">Decided</th></tr></thead>
<tbody>
${commands.map(
  ({
    id,
    action,
    status,
    decidedAt,
    ...about
  }) => html`<tr><th scope="row"><a href="${addresses.command(id)}">${id}</a></th><td>${action}</td><td>${statusMark(
    status,
  )}</td><td class="wide">${aboutLink(about, addresses)}</td><td class="wide">${agoMarkup(decidedAt, Date.parse(now))}</td></tr>
`,
)}</tbody>
</table>
</section>
`
}${pager(links)}`
}

/** The thing that a command is about: a deal by its id alone, anything else by what it is too. */
function aboutLink({ resource, subject }: Pick<ShownCommand, 'resource' | 'subject'>, addresses: Addresses): Markup {
  const text = resource === 'deal' ? subject : `${label(resource)} ${subject}`
  return html`<a href="${addresses.thing(resourceNamed(resource), subject)}">${text}</a>`
}

const filters = (parameters: readonly Parameter[], addresses: Addresses): Markup =>
  filterBar({
    collection: collections.commands,
    address: addresses.commands,
    action: addresses.filter('commands'),
    parameters,
    fields: [
      { name: 'id', label: 'Id', schema: { type: 'string', maxLength: 128 } },
      { name: 'status', label: 'Status', schema: { type: 'string', enum: ['applied', 'rejected'] } },
      { name: 'deal', label: 'Deal id', schema: { type: 'string', maxLength: 36 } },
    ],
  })

export interface CommandPage {
  readonly command: ShownCommand
  readonly dealName: string
  readonly addresses: Addresses
}

export function commandPage({ command, dealName, addresses }: CommandPage): Markup {
  const { id, resource, subject, action, params, status, problem, revision, decidedAt } = command
  const about: readonly (readonly [string, Markup])[] =
    resource === 'deal'
      ? [
          ['Deal', html`<a href="${addresses.deal(String(subject))}">${dealName}</a>`],
          [
            'Revision of the deal',
            html`<a href="${addresses.entry(String(subject), 'history', revision)}">${revision}</a>`,
          ],
        ]
      : [[label(resource), aboutLink(command, addresses)]]
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.commands}">Commands</a></p><h1>${id}</h1>
<p class="marks">${statusMark(status)}</p></div></header>
<section class="panel" aria-label="The command">${problem && html`<p class="notice">${problem.title}: ${problem.detail}</p>`}
${details([
  ['Action', action],
  ...about,
  ['Parameters', html`<pre tabindex="0"><code>${JSON.stringify(params, null, 2)}</code></pre>`],
  ['Decided', instantMarkup(decidedAt)],
])}</section>
`
}

const statusMark = (status: ShownCommand['status']): Markup =>
  status === 'applied' ? html`<span class="mark done">Applied</span>` : html`<span class="mark off">Rejected</span>`

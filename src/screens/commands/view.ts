import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { pager } from '../../representations/html/table.ts'
import { emptyList, filterBar } from '../filters/filter-bar.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import type { Names } from '../parts/names.ts'
import { details } from '../parts/panel.ts'
import type { ShownCommand, ShownDeal } from '../parts/shown.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'
import { type ExplainedRefusal, whyMarkup } from '../problem/why.ts'

export interface CommandsPage {
  readonly commands: readonly ShownCommand[]
  /** Set where the list is of one deal. */
  readonly deal: ShownDeal | undefined
  readonly names: Names
  readonly parameters: readonly Parameter[]
  readonly links: PageLinks
  readonly schema: Schema
  readonly now: string
  readonly addresses: Addresses
}

/** A list of commands. */
export function commandsPage(page: CommandsPage): Markup {
  const { commands, deal, names, parameters, links, now, addresses } = page
  return html`<header class="head"><div>${
    deal !== undefined &&
    html`<p class="crumbs"><a href="${addresses.deals}">${say('Deals')}</a> / <a href="${addresses.deal(deal.id)}">${deal.name}</a></p>`
  }<h1>${say('Commands')}</h1><p class="quiet">${say('Changes requested under an id that the client chose, each done at most once. Latest first.')}</p></div></header>
${deal === undefined && filters(page)}
${
  commands.length === 0
    ? emptyList({
        none: say('No commands yet.'),
        noMatch: say('No command matches.'),
        all: say('Show all commands'),
        address: addresses.commands,
        parameters,
      })
    : html`<div class="table" role="group" aria-labelledby="commands-caption" tabindex="0">
<table>
<caption id="commands-caption">${say('{count} commands shown', { count: commands.length })}</caption>
<thead><tr><th scope="col">${say('About')}</th><th scope="col">${say('Action')}</th><th scope="col">${say('Status')}</th><th scope="col" class="wide">${say('Id')}</th><th scope="col" class="wide">${say('Decided')}</th></tr></thead>
<tbody>
${commands.map(
  ({
    id,
    action,
    status,
    decidedAt,
    ...about
  }) => html`<tr><th scope="row">${aboutLink(about, names, addresses)}</th><td><a href="${addresses.command(id)}"><code>${action}</code></a></td><td>${statusMark(
    status,
  )}</td><td class="wide"><a href="${addresses.command(id)}"><code>${id}</code></a></td><td class="wide">${agoMarkup(decidedAt, Date.parse(now))}</td></tr>
`,
)}</tbody>
</table>
</div>
`
}${pager(links)}`
}

/** The thing that a command is about, by its name if it has one. */
function aboutLink(
  { resource, subject }: Pick<ShownCommand, 'resource' | 'subject'>,
  names: Names,
  addresses: Addresses,
): Markup {
  const name = names.get(resource.name)?.get(subject)
  if (name === undefined && resource.name === 'deal') return html`${say('A removed deal')}`
  return html`<a href="${addresses.thing(resource, subject)}">${name ?? say(label(resource.name))}</a>`
}

const filters = ({ parameters, schema, addresses }: CommandsPage): Markup =>
  filterBar({
    collection: collectionsOf(schema).commands,
    address: addresses.commands,
    action: addresses.filter('commands'),
    parameters,
    fields: filterFields,
  })

const filterFields: readonly FormField[] = [
  { name: 'id', label: say('Id'), schema: { type: 'string', maxLength: 128 } },
  { name: 'status', label: say('Status'), schema: { type: 'string', enum: ['applied', 'rejected'] } },
  { name: 'deal', label: say('Deal id'), schema: { type: 'string', maxLength: 36 } },
]

export interface CommandPage {
  readonly command: ShownCommand
  /** Why it was rejected. */
  readonly problem: ExplainedRefusal | undefined
  readonly names: Names
  readonly addresses: Addresses
}

export function commandPage({ command, problem, names, addresses }: CommandPage): Markup {
  const { id, resource, subject, action, params, status, revision, decidedAt } = command
  const about: readonly (readonly [Text, Markup])[] = [
    [say(label(resource.name)), aboutLink(command, names, addresses)],
    [
      say('Revision'),
      html`<a href="${addresses.entry(resource, String(subject), 'history', revision)}">${revision}</a>`,
    ],
  ]
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.commands}">${say('Commands')}</a></p><h1><code>${id}</code></h1>
<p class="marks">${statusMark(status)}</p></div></header>
<section class="panel" aria-label="${say('The command')}">${problem && html`<p class="notice">${phrase('{about}: {what}', { about: told(problem.title), what: whyMarkup(problem) })}</p>`}
${details([
  [say('Action'), html`<code>${action}</code>`],
  ...about,
  [say('Parameters'), html`<pre tabindex="0"><code>${JSON.stringify(params, null, 2)}</code></pre>`],
  [say('Decided'), instantMarkup(decidedAt)],
])}</section>
`
}

const statusMark = (status: ShownCommand['status']): Markup =>
  status === 'applied'
    ? html`<span class="mark done">${say('Applied')}</span>`
    : html`<span class="mark off">${say('Rejected')}</span>`

import type { Addresses } from '../../http/contract/addresses.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { filterBar } from '../filters/filter-bar.ts'
import { mark } from '../parts/marks.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import type { Names } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { type Detail, details } from '../parts/panel.ts'
import type { ShownCommand, ShownDeal } from '../parts/shown.ts'
import { type ExplainedRefusal, whyMarkup } from '../problem/why.ts'
import { tableList } from '../table-list/view.ts'

export interface CommandsPage {
  readonly commands: readonly ShownCommand[]
  /** Set if the list is of one deal. */
  readonly deal: ShownDeal | undefined
  readonly names: Names
  readonly list: ShownList
  readonly schema: Schema
  readonly now: string
  readonly addresses: Addresses
}

/** A list of commands. */
export function commandsPage(page: CommandsPage): Markup {
  const { commands, deal, names, list, now, addresses } = page
  const time = Date.parse(now)
  const link = (id: string, text: string): Markup => html`<a href="${addresses.command(id)}"><code>${text}</code></a>`
  return tableList<ShownCommand>({
    crumbs: deal && [crumb(addresses.deals, say('Deals')), ' / ', crumb(addresses.deal(deal.id), deal.name)],
    title: say('Commands'),
    about: say('Changes requested under an id that the client chose, each done at most once. Latest first.'),
    filters: deal === undefined && filters(page),
    list,
    address: addresses.commands,
    caption: say('{count} commands shown', { count: commands.length }),
    columns: [
      { head: say('About'), cell: (command) => aboutLink(command, names, addresses) },
      { head: say('Action'), cell: ({ id, action }) => link(id, action) },
      { head: say('Status'), cell: ({ status }) => statusMark(status) },
      { head: say('Id'), kind: 'wide', cell: ({ id }) => link(id, id) },
      { head: say('Decided'), kind: 'wide', cell: ({ decidedAt }) => agoMarkup(decidedAt, time) },
    ],
    rows: commands,
    none: say('No commands yet.'),
  })
}

/** The thing that a command is about, by its name if it has one. */
function aboutLink(
  { resource, subject }: Pick<ShownCommand, 'resource' | 'subject'>,
  names: Names,
  addresses: Addresses,
): Markup {
  const name = names.get(resource.name)?.get(subject)
  if (name !== undefined) return crumb(addresses.thing(resource, subject), name)
  return html`${resource.name === 'deal' ? say('A removed deal') : say(label(resource.name))}`
}

const filters = ({ list: { parameters }, schema, addresses }: CommandsPage): Markup =>
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
  /** Whether the history still has the entry of its revision. */
  readonly isTold: boolean
  readonly addresses: Addresses
}

export function commandPage({ command, problem, names, isTold, addresses }: CommandPage): Markup {
  const { id, resource, subject, action, params, status, revision, decidedAt } = command
  const entry = addresses.entry(resource, String(subject), 'history', revision)
  const rows: readonly Detail[] = [
    [say('Action'), html`<code>${action}</code>`],
    [say(label(resource.name)), aboutLink(command, names, addresses)],
    [say('Revision'), isTold ? crumb(entry, revision) : revision],
    [say('Parameters'), html`<pre tabindex="0"><code>${JSON.stringify(params, null, 2)}</code></pre>`],
    [say('Decided'), instantMarkup(decidedAt)],
  ]
  const head = pageHead({
    crumbs: crumb(addresses.commands, say('Commands')),
    title: html`<code>${id}</code>`,
    marks: statusMark(status),
  })
  return html`${head}<section class="panel" aria-label="${say('The command')}">${problem && whyRejected(problem)}
${details(rows)}</section>
`
}

const whyRejected = (problem: ExplainedRefusal): Markup =>
  html`<p class="notice">${phrase('{about}: {what}', { about: told(problem.title), what: whyMarkup(problem) })}</p>`

const statusMark = (status: ShownCommand['status']): Markup =>
  status === 'applied' ? mark('done', say('Applied')) : mark('off', say('Rejected'))

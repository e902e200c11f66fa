import type { Addresses } from '../../http/contract/addresses.ts'
import type { PageLinks } from '../../http/contract/shown.ts'
import { codeName, numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { ATTRIBUTE_UPDATE } from '../../model/nouns/deal/params.ts'
import { operationNamed } from '../../model/schema/resources.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { choiceTitle } from '../../representations/html/field-title.ts'
import { forDevelopers } from '../../representations/html/for-developers.ts'
import { MOST_CHOICES } from '../../representations/html/form.ts'
import { label } from '../../representations/html/label.ts'
import { pager } from '../../representations/html/table.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { flattened } from '../../values/json/own.ts'
import { isCountry } from '../../values/kinds/codes.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { orderLink } from '../filters/sorting.ts'
import { fieldText } from '../list/columns.ts'
import { entryMarkup } from '../parts/happenings/happening.ts'
import { dateMarkup, instantMarkup } from '../parts/moment.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { type Detail, details, quiet } from '../parts/panel.ts'
import { personName } from '../parts/person.ts'
import type { ShownEntry } from '../parts/shown.ts'
import { commandLink, timeline, wasThere } from '../parts/timeline.ts'
import { type ValueContext, valueMarkup } from '../thing/facts.ts'

/** The thing whose history it is. */
export interface HistorySubject {
  readonly resource: Resource
  readonly id: Key
  readonly name: string
  /** The currency of its amounts; empty if it has none. */
  readonly currency: string
  readonly revision: number
}

export interface HistoryPage {
  readonly subject: HistorySubject
  /** The heading: the history, or the noun of one operation. */
  readonly title: string
  readonly address: string
  readonly entries: readonly ShownEntry[]
  /** The number of entries that are no longer kept. */
  readonly trimmed: number
  readonly parameters: readonly Parameter[]
  readonly links: PageLinks
  readonly addresses: Addresses
}

/** The history of a thing, or the entries of one operation. */
export function historyPage(history: HistoryPage): Markup {
  const { subject, title, address, entries, trimmed, parameters, links, addresses } = history
  const head = pageHead({
    crumbs: crumbs(subject, addresses),
    title: say(title),
    beside: entries.length > 1 && orderLink(address, parameters, 'revision'),
  })
  const all = timeline(entries, subject, addresses)
  const shown = html`<section class="panel" aria-label="${say(title)}">${all}</section>\n`
  const none = html`<p class="empty">${say('No entries yet.')}</p>\n`
  const older = html`<p class="quiet">${say('{count} older entries are no longer kept.', { count: trimmed })}</p>\n`
  return html`${head}${entries.length === 0 ? none : shown}${trimmed > 0 && older}${pager(links)}`
}

export interface EntryPage {
  readonly subject: HistorySubject
  readonly entry: ShownEntry
  /** The revisions of the entries before and after it: an import leaves none, and old ones are trimmed. */
  readonly previous: number | undefined
  readonly next: number | undefined
  /** The things that it names, by the names of fields. */
  readonly referred: ValueContext['referred']
  readonly addresses: Addresses
}

/** One entry, with links to the previous and the next one. */
export function entryPage(page: EntryPage): Markup {
  const { subject, entry, previous, next, addresses } = page
  const { resource, id } = subject
  const { operation, params, revision, at, actor, key } = entry
  const declared = operationNamed(operation, resource)
  const rows: readonly Detail[] = [
    ...paramRows(page, declared),
    [say('Done by'), actor === null ? quiet(say('not known')) : personName(actor)],
    [say('Key'), key !== undefined && key],
    [say('When'), instantMarkup(at)],
  ]
  const asked: readonly Detail[] = [
    [say('Revision'), say('{revision} of {last}', { revision, last: subject.revision })],
    [say('Form'), html`<code>${entry.form}</code>`],
    [say('Command'), entry.commandId !== undefined && commandLink(entry.commandId, addresses)],
    [say('Parameters'), html`<code>${JSON.stringify(params)}</code>`],
  ]
  const beside = (to: number | undefined, text: Text): Markup | undefined =>
    to === undefined ? undefined : html`<li><a href="${addresses.entry(resource, id, 'history', to)}">${text}</a></li>`
  const then = html`<p><a href="${addresses.past(resource, id, revision)}">${say('As it was then')}</a></p>\n`
  const head = pageHead({
    crumbs: [crumbs(subject, addresses), ' / ', crumb(`${addresses.thing(resource, id)}/history`, say('History'))],
    title: say(declared?.title ?? label(operation)),
  })
  return html`${head}<section class="panel" aria-label="${say('The entry')}">
<p>${entryMarkup(entry, { currency: subject.currency, resource })}</p>
${details(rows)}
${wasThere(entry, resource) && then}${forDevelopers(html`<details><summary>${say('For developers')}</summary>${details(asked)}</details>`)}</section>
<nav class="pager" aria-label="${say('Entries')}"><ul>${beside(previous, say('Previous'))}${beside(next, say('Next'))}</ul></nav>
`
}

const crumbs = ({ resource, id, name }: HistorySubject, addresses: Addresses): Hole => [
  crumb(addresses.base + resource.path, say(label(resource.plural))),
  ' / ',
  crumb(addresses.thing(resource, id), name),
]

/** The parameters; those that set an added field have its title and format. */
function paramRows({ subject, entry, referred, addresses }: EntryPage, declared: Operation | undefined): Detail[] {
  const { resource, currency } = subject
  const params = flattened(entry.params)
  const money = resource.moneyIn === undefined ? {} : { [resource.moneyIn]: currency }
  return Object.entries(params)
    .filter(([, value]) => value !== ATTRIBUTE_UPDATE)
    .map(([name, value]) => {
      if (resource.kinds[name]?.titled !== undefined)
        return [
          fieldText(resource, name),
          valueMarkup(name, { ...money, ...params }, { resource, referred, addresses }),
        ]
      return [say(label(name)), customerIn(entry, name) ?? paramMarkup(value, declared?.params[name]?.kind)]
    })
}

/** The name of a customer, which is stored as a number. */
const customerIn = ({ customer }: ShownEntry, param: string): string | undefined =>
  param === 'customerId' ? customer : undefined

/** A value of a choice is one of our words; other texts were written by people. */
function paramMarkup(value: unknown, kind: Kind<unknown> | undefined): Hole {
  if (value === null) return quiet(say('empty'))
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (kind?.name === 'date') return dateMarkup(value)
  if (kind !== undefined && isCountry(kind)) return codeName('region', value)
  const isChoice = Array.isArray(kind?.schema.enum) && kind.schema.enum.length <= MOST_CHOICES
  return isChoice ? (choiceTitle(kind, value) ?? say(label(value))) : value
}

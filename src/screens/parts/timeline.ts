import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { isDeletion, operationNamed } from '../../model/schema/resources.ts'
import { label } from '../../representations/html/label.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, inRows, type Markup } from '../../representations/markup/markup.ts'
import { entryMarkup } from './happenings/happening.ts'
import { agoMarkup, instantMarkup } from './moment.ts'
import type { ShownActivity, ShownEntry } from './shown.ts'

export interface TimelineSubject {
  readonly id: Key
  readonly currency: string
  readonly resource: Resource
}

/** The entries of one thing's history. */
export function timeline(entries: readonly ShownEntry[], subject: TimelineSubject, addresses: Addresses): Markup {
  const { id, currency, resource } = subject
  return happened(entries, (entry) => {
    const href = addresses.entry(resource, id, 'history', entry.revision)
    const at = html`<a href="${href}">${instantMarkup(entry.at)}</a>`
    const then =
      wasThere(entry, resource) &&
      html` · <a href="${addresses.past(resource, id, entry.revision)}">${say('as it was then')}</a>`
    return html`<li${tone(entry, resource)}><p>${entryMarkup(entry, { currency, resource })}</p>
<p class="quiet">${happenedMarkup(entry)}${at}${then}</p></li>
`
  })
}

/** Whether the thing was there after the entry: a deletion leaves nothing to show. */
export const wasThere = ({ operation }: ShownEntry, resource: Resource): boolean => {
  const known = operationNamed(operation, resource)
  return known === undefined || !isDeletion(known)
}

/** When a noted call or meeting took place, if it was not noted at once. */
function happenedMarkup({ params: { happenedAt }, at }: ShownEntry): Markup | undefined {
  if (typeof happenedAt !== 'string' || Math.abs(Date.parse(happenedAt) - Date.parse(at)) < AT_ONCE) return undefined
  return html`${phrase('Happened {when}', { when: instantMarkup(happenedAt) })} · `
}

const AT_ONCE = 60_000

/** The latest events of all things. */
export function activityList(activities: readonly ShownActivity[], now: string, addresses: Addresses): Markup {
  const time = Date.parse(now)
  return happened(activities, (activity) => {
    const { resource, thing, at } = activity
    const what = entryMarkup(activity, { currency: thing.currency ?? '', resource })
    return html`<li${tone(activity, resource)}><p>${thingLink(activity, addresses)}</p>
<p>${what} <span class="quiet">${agoMarkup(at, time)}</span></p></li>
`
  })
}

const happened = <E>(entries: readonly E[], row: (entry: E) => Markup): Markup =>
  html`<ol class="timeline">${inRows(entries, row)}</ol>
`

/** Only the kind of a removed thing is known; an import is about no single customer. */
function thingLink({ resource, thing, isGone, import: undone }: ShownActivity, addresses: Addresses): Markup {
  if (undone !== undefined) return html`<a href="${addresses.imports}/${undone.id}">${say('Import')}</a>`
  if (thing.id === undefined) return html`<a href="${addresses.customers}">${say('Customers')}</a>`
  const name = thing.name ?? thing.title ?? thing.currency
  if (name === undefined) return html`${say(label(resource.name))}`
  return isGone ? html`${name}` : html`<a href="${addresses.thing(resource, thing.id)}">${name}</a>`
}

export const commandLink = (commandId: string, addresses: Addresses): Markup =>
  html`<a href="${addresses.command(commandId)}"><code>${commandId}</code></a>`

/** The sign or the colour of the operation's mark. */
function tone({ operation, params }: ShownEntry, resource: Resource): Markup | undefined {
  const { changes = [], danger, lasting } = operationNamed(operation, resource) ?? {}
  if (lasting) return html` class="noted" data-icon="${signs.get(params.kind) ?? 'note'}"`
  if (danger) return html` class="off"`
  if (changes.includes('held')) return html` class="held"`
  return changes.includes('paid') || changes.includes('completedOn') ? html` class="done"` : undefined
}

/** The signs of kinds of notes. */
const signs: ReadonlyMap<unknown, string> = new Map([
  ['call', 'call'],
  ['meeting', 'customers'],
  ['mail', 'mail'],
])

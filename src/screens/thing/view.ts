import { say } from '../../languages/say.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { forDevelopers } from '../../representations/html/for-developers.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { framedForm, sureText } from '../forms/framed-form.ts'
import { shownName } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import type { SeenThing, ShownEntry } from '../parts/shown.ts'
import { timeline } from '../parts/timeline.ts'
import { thingFacts } from './facts.ts'
import { notePanel } from './note-panel.ts'
import { isOffered, type OperationOffer, offersMarkup, setsAdded } from './offers.ts'
import { type Refused, refusedMarkup } from './refused.ts'
import type { ThingContext, ThingScreen } from './thing-screen.ts'

export interface ThingPage extends ThingContext {
  readonly screen: ThingScreen
  readonly thing: SeenThing
  readonly offers: readonly OperationOffer[]
  /** Latest first. */
  readonly history: readonly ShownEntry[]
  readonly hasMoreHistory: boolean
  /** Its own panels, and those of its tasks and referring things. */
  readonly panels: Screen | undefined
  readonly tasks: Screen | undefined
  readonly related: readonly Screen[]
  /** Further marks next to those of the screen. */
  readonly marks: Hole
  /** The address of its operations as requests; undefined if it has none. */
  readonly actions: string | undefined
  /** A form that was sent and refused. */
  readonly refused?: Refused
}

/** A thing: its fields, its operations, its related things and its history. */
export function thingPage(page: ThingPage): Markup {
  const { thing, screen, resource, addresses, refused, offers } = page
  const about = { resource, id: thing.id, currency: currencyOf(page) }
  const facts = panel('facts', say('Details'), thingFacts(thing, screen, offers, page), { live: 'unless-typing' })
  const form = editPanel(page)
  // A refused form comes first in its column.
  const [first, edit] = refused?.isChange === true ? [form, undefined] : [undefined, form]
  const history = historyPanel(page)
  const removal = removalPanel(page)
  const related = page.related.map((each) => each())
  const left = [first, notePanel(offers), facts, offersPanel(page), page.panels?.()]
  const isLong = form !== undefined && related.length > 0
  return html`${thingHead(page)}
<div id="refusal" data-live="when-sent">${refused && refusedMarkup(refused, about, addresses)}</div>
${
  isLong
    ? [columns(left, [page.tasks?.(), history]), related, columns(edit, removal)]
    : [columns([left, form && history], [page.tasks?.(), edit, !form && history, removal]), related]
}${page.actions && forDevelopers(actionsLink(page.actions))}`
}

const columns = (left: Hole, right: Hole): Markup => html`<div class="columns">
<div>
${left}</div>
<div>
${right}</div>
</div>
`

function thingHead(page: ThingPage): Markup {
  const { resource, screen, thing, offers, addresses } = page
  const above = crumb(`${addresses.base}${resource.path}${screen.listQuery ?? ''}`, say(label(resource.plural)))
  const turns = offers.filter(isOffered).filter(({ operation }) => screen.turns?.includes(operation.name))
  const forms = turns.map(({ operation, form }) => framedForm(form, `${operation.name}-form`))
  return pageHead({
    crumbs: [...(screen.crumbs?.(addresses) ?? []), above].map((each, at) => (at === 0 ? each : [' / ', each])),
    title: shownName(resource, thing),
    marks: [screen.marks?.(thing, page), page.marks && [' ', page.marks]],
    below: screen.notices?.(thing, page),
    beside: [screen.beside?.(thing, page), screen.turns && html`<div id="turn" data-live>${forms}</div>`],
    watch: thing.id,
    isLive: true,
  })
}

const currencyOf = ({ resource: { moneyIn }, thing }: Pick<ThingPage, 'resource' | 'thing'>): string =>
  moneyIn === undefined ? '' : String(thing[moneyIn])

/** The operations, except those shown elsewhere: a change, a removal, a note, and the buttons next to the name. */
function offersPanel({ resource, screen, thing, offers }: ThingPage): Markup | undefined {
  const shown = offers.filter((offer) => {
    const { differences, removes, lasting, name } = offer.operation
    const isInDetails = isOffered(offer) && setsAdded(offer.operation)
    return !differences && !removes && !lasting && !isInDetails && !screen.turns?.includes(name)
  })
  if (shown.length === 0) return undefined
  return panel('offers', say('What you can do'), offersMarkup(shown, resource, thing), { live: 'unless-typing' })
}

export function historyPanel(page: ThingPage): Markup {
  const { resource, thing, history, hasMoreHistory, addresses } = page
  const about = { resource, id: thing.id, currency: currencyOf(page) }
  const all = html`<p><a href="${addresses.thing(resource, thing.id)}/history">${say('All of the history')}</a></p>`
  const none = html`<p class="empty">${say('No entries yet.')}</p>`
  const content = [history.length === 0 ? none : timeline(history, about, addresses), hasMoreHistory && all]
  return panel('history', say('History'), content, { live: 'always' })
}

/** The form that changes the thing; a refused one comes first in the page. */
function editPanel({ offers, refused }: ThingPage): Markup | undefined {
  const form = offers.filter(isOffered).find(({ operation }) => operation.differences)?.form
  if (form === undefined) return undefined
  const shown: DocumentForm = { ...form, submit: refused?.isChange ? say('Try again') : say('Save') }
  return panel('edit', say('Edit'), framedForm(shown, 'edit-form', { here: true }), {
    live: 'unless-typing',
    kind: 'edit',
  })
}

function removalPanel({ resource, screen, thing, offers, addresses }: ThingPage): Markup | undefined {
  const removal = offers.filter(isOffered).find(({ operation }) => operation.removes)
  if (removal === undefined) return undefined
  const stays = screen.stays?.(thing)
  const live = 'unless-typing'
  if (stays !== undefined) return panel('remove', say('Delete'), html`<p class="quiet">${stays}</p>`, { live })
  // One that asks for something is its own question.
  const isAsked = removal.form.fields.length > 0
  const confirm = addresses.confirmation(resource, thing.id, removal.operation.name)
  return panel(
    'remove',
    say('Delete'),
    html`<p class="quiet">${screen.removal ?? say('This is final. It cannot be undone.')}</p>
${framedForm(removal.form, 'remove-form', { ...(!isAsked && { confirm }), danger: true, sure: sureText(removal.operation) })}`,
    { live },
  )
}

const actionsLink = (actions: string): Markup =>
  html`<p class="quiet">${phrase('{about}: {what}', {
    about: say('For developers'),
    what: html`<a href="${actions}">${say('everything that can be done, as API requests')}</a>`,
  })}</p>
`

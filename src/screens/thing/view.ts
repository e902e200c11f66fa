import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { forDevelopers } from '../../representations/html/for-developers.ts'
import { label } from '../../representations/html/label.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { framedForm, sureText } from '../forms/framed-form.ts'
import { shownName } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import type { SeenThing, ShownEntry } from '../parts/shown.ts'
import { timeline } from '../parts/timeline.ts'
import type { ShownTasks } from '../task-panel/read.ts'
import { thingFacts } from './facts.ts'
import { noteLine } from './note-line.ts'
import {
  isOffered,
  isTold,
  type Offered,
  type OperationOffer,
  offerForm,
  offerMarkup,
  offersMarkup,
  setsAdded,
} from './offers.ts'
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
  readonly tasks: ShownTasks | undefined
  readonly related: readonly Screen[]
  /** Further marks next to those of the screen. */
  readonly marks: Hole
  readonly now: string
  /** The address of its operations as requests; undefined if it has none. */
  readonly actions: string | undefined
  /** A form that was sent and refused. */
  readonly refused?: Refused
}

/** A thing: its fields, its operations, its related things and its history. */
export function thingPage(page: ThingPage): Markup {
  const { thing, resource, addresses, refused, offers } = page
  const about = { resource, id: thing.id, currency: currencyOf(page) }
  const side = [detailsPanel(page), page.panels?.(), removalPanel(page)]
  const beside = [page.related.map((each) => each()), streamPanel(page, [noteLine(offers), page.tasks?.screen()])]
  return html`${thingHead(page)}${wayOf(page)}
<div id="refusal" data-live="when-sent">${refused && refusedMarkup(refused, about, addresses)}</div>
${editPanel(page)}<div class="columns beside">
<div>
${side}</div>
<div>
${beside}</div>
</div>
${page.actions && forDevelopers(actionsLink(page.actions))}`
}

/** The line below the head, and how far the thing is on its way. */
function wayOf(page: ThingPage): Markup | undefined {
  const { screen, thing, offers } = page
  const formOf = (name: string): DocumentForm | undefined =>
    offers.filter(isOffered).find(({ operation }) => operation.name === name)?.form
  const glance = screen.glance?.(thing, page, page.tasks?.next)
  const way = screen.way?.(thing, { ...page, formOf })
  if (glance === undefined && way === undefined) return undefined
  return html`<div id="way" data-live>${glance && html`<p class="glance">${glance}</p>\n`}${way}</div>
`
}

function thingHead(page: ThingPage): Markup {
  const { resource, screen, thing, offers, addresses } = page
  const above = crumb(`${addresses.base}${resource.path}${screen.listQuery ?? ''}`, say(label(resource.plural)))
  const turns = offers.filter(isOffered).filter(({ operation }) => screen.turns?.includes(operation.name))
  const forms = turns.map((offer) =>
    offer.form.fields.length === 0
      ? framedForm(offer.form, `${offer.operation.name}-form`)
      : offerMarkup(offer, offer.operation.title),
  )
  return pageHead({
    crumbs: [...(screen.crumbs?.(addresses) ?? []), above].map((each, at) => (at === 0 ? each : [' / ', each])),
    title: shownName(resource, thing),
    marks: [screen.marks?.(thing, page), page.marks && [' ', page.marks]],
    below: screen.notices?.(thing, page),
    beside: [
      screen.beside?.(thing, page),
      screen.turns && html`<div class="turns" id="turn" data-live="unless-typing">${forms}</div>`,
      actionsMenu(page),
    ],
    watch: thing.id,
    isLive: true,
  })
}

const currencyOf = ({ resource: { moneyIn }, thing }: Pick<ThingPage, 'resource' | 'thing'>): string =>
  moneyIn === undefined ? '' : String(thing[moneyIn])

/** The operations, except those shown elsewhere: a change, a removal, a note, and the buttons next to the name. */
function actionsMenu({ resource, screen, thing, offers }: ThingPage): Markup | undefined {
  const shown = offers.filter((offer) => {
    const { differences, removes, lasting, name } = offer.operation
    const isInDetails = isOffered(offer) && setsAdded(offer.operation)
    const isTurn = isOffered(offer) && screen.turns?.includes(name)
    return !differences && !removes && !lasting && !isInDetails && !isTurn
  })
  if (!shown.some(isTold)) return undefined
  return html`<details class="drop" id="actions"><summary class="button plain">${say('Actions')}</summary>
<div class="drop-panel acts" id="offers" data-live="unless-typing">${offersMarkup(shown, resource, thing)}</div></details>
`
}

/** What happened, below lines for what comes next: one stream of notes, tasks and changes. */
export function streamPanel(page: ThingPage, next: Hole = undefined): Markup {
  const { resource, thing, history, hasMoreHistory, tasks, addresses } = page
  const about = { resource, id: thing.id, currency: currencyOf(page) }
  const all = html`<p><a href="${addresses.thing(resource, thing.id)}/history">${say('All of the history')}</a></p>`
  const none = html`<p class="empty">${say('No entries yet.')}</p>`
  const content = [history.length === 0 ? none : timeline(history, about, addresses), hasMoreHistory && all]
  const hasNotes = resource.operations.some(({ lasting }) => lasting)
  const parts = hasNotes && streamSwitch(tasks === undefined ? ['all', 'notes', 'changes'] : Object.keys(streamParts))
  return html`<section class="panel stream" aria-labelledby="history-title"><header><h2 id="history-title">${say('History')}</h2>
${parts}</header>
${next}<div id="history" data-live>${content}</div></section>
`
}

const streamParts: { readonly [part: string]: Text } = {
  all: say('All|entries'),
  notes: say('Notes'),
  tasks: say('Tasks'),
  changes: say('Changes'),
}

/** The part of the stream to show: the style sheet leaves the rest out, which needs no script and no request. */
const streamSwitch = (parts: readonly string[]): Markup =>
  html`<div class="switch" role="group" aria-label="${say('Show')}">${parts.map((part, at) => {
    const isFirst = at === 0 && html` checked`
    const box = html`<input type="radio" class="unseen" name="stream" value="${part}"${isFirst}>`
    return html`<label>${box} ${streamParts[part]}</label>`
  })}</div>`

/** The fields of the thing, and the form that changes them, which opens in their place. */
function detailsPanel(page: ThingPage): Markup {
  const { thing, screen, offers } = page
  const form = changeForm(page)
  const added = offers.filter(isOffered).find(({ operation }) => setsAdded(operation))
  const edit =
    form !== undefined && !isLarge(page, form)
      ? editing(framedForm(form, 'edit-form', { here: true }))
      : added && editing(offerForm(saved(added), `op-${added.operation.name}-form`))
  return html`<section class="panel" aria-labelledby="facts-title"><h2 id="facts-title">${say('Details')}</h2>
${edit}<div id="facts" data-live="unless-typing">${thingFacts(thing, screen, offers, page)}</div>
</section>
`
}

const editing = (form: Markup): Markup =>
  html`<details class="editing edit"><summary class="button plain" data-icon="edit">${say('Edit')}</summary>
<div id="edit" data-live="unless-typing">${form}</div></details>
`

const saved = ({ operation, form }: Offered): Offered => ({ operation, form: { ...form, submit: say('Save') } })

/** The form that changes the thing, if it needs the width of the page or was refused: it comes first. */
function editPanel(page: ThingPage): Markup | undefined {
  const form = changeForm(page)
  if (form === undefined || !isLarge(page, form)) return undefined
  return panel('edit', say('Edit'), framedForm(form, 'edit-form', { here: true }), {
    live: 'unless-typing',
    kind: 'edit',
  })
}

function changeForm({ offers, refused }: ThingPage): DocumentForm | undefined {
  const form = offers.filter(isOffered).find(({ operation }) => operation.differences)?.form
  return form && { ...form, submit: refused?.isChange ? say('Try again') : say('Save') }
}

const isLarge = ({ refused }: ThingPage, { fields }: DocumentForm): boolean =>
  refused?.isChange === true || fields.some(({ rows }) => rows !== undefined)

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

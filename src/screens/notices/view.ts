import { say } from '../../languages/say.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import { hiddenFields } from '../../representations/html/form.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { DataObject } from '../../representations/read-document.ts'
import { doneText } from '../parts/happenings/happening.ts'
import { shownName } from '../parts/names.ts'

/** The effect of a form, shown on the page that it led to. */
interface Notice {
  /** The operation; the first, if there were many. */
  readonly operation: Operation
  readonly params: Params
  /** The resulting thing. */
  readonly thing: DataObject
  /** The name of the customer that the parameters mention. */
  readonly customer: string | undefined
  readonly count: number
  /** Whether many were undone, each in its own way. */
  readonly isUndo: boolean
  /** Why an undo was refused. */
  readonly refused: 'changed' | 'impossible' | undefined
  /** The thing's page, unless this is it or the thing was removed. */
  readonly href: string | undefined
  /** The form that undoes it, if there is an opposite. */
  readonly undo: { readonly action: string; readonly hidden: { readonly [name: string]: string } } | undefined
}

export function noticeMarkup(notice: Notice): Markup {
  const { undo, refused } = notice
  const told =
    refused === undefined
      ? html`<p>${doneMarkup(notice)}</p>`
      : html`<p class="kept">${refusedMarkup(notice, refused)}</p>`
  return html`${told}${undo && undoForm(undo)}${close}`
}

/** Scripts show the message above the page, where it could be in the way. */
const close = html`<button class="plain close" type="button" aria-label="${say('Close')}"></button>`

const undoForm = ({ action, hidden }: NonNullable<Notice['undo']>): Markup =>
  html`<form method="post" action="${action}" data-here>
${hiddenFields(hidden)}<button class="plain" type="submit">${say('Undo')}</button></form>`

function doneMarkup({ operation, params, thing, customer, count, isUndo, href }: Notice): Markup {
  if (isUndo) return html`${say('Undone.')}`
  const entry = { operation: operation.name, params, ...(customer !== undefined && { customer }) }
  const done = doneText(entry, { currency: String(thing.currency ?? ''), resource: operation.on })
  if (count > 1) return phrase('{things}: {done}', { things: say(`{count} ${operation.on.plural}`, { count }), done })
  const name = nameMarkup(operation, thing, href)
  return href === undefined ? html`${done}` : phrase('{name}: {done}', { name, done })
}

const refusedMarkup = ({ operation, thing, href }: Notice, refused: 'changed' | 'impossible'): Markup => {
  const name = nameMarkup(operation, thing, href)
  return refused === 'changed'
    ? phrase('Not undone: {name} was changed in the meantime.', { name })
    : phrase('Not undone: {name} cannot be restored.', { name })
}

function nameMarkup({ on }: Operation, thing: DataObject, href: string | undefined): Markup {
  // Parts of the model have titles; their names are for programs.
  const name =
    on.shapes === undefined ? String(thing.name ?? thing.title ?? thing.currency ?? thing.id) : shownName(on, thing)
  return href === undefined ? html`${name}` : html`<a href="${href}">${name}</a>`
}

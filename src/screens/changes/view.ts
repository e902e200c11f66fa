import { say } from '../../languages/say.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { label } from '../../representations/html/label.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { fieldText } from '../list/columns.ts'
import { mark } from '../parts/marks.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import type { FieldsOfThing } from '../parts/shown.ts'
import { table } from '../parts/table.ts'
import { plainText, valueText } from '../parts/value-text.ts'
import { type Why, whyMarkup } from '../problem/why.ts'

/** One of the selected things, and the effect of the change on it. */
export interface SelectedRow {
  readonly id: string | number
  readonly name: string
  readonly href: string
  readonly revision: number
  readonly before: FieldsOfThing
  /** Absent before the preview. */
  readonly outcome?: RowOutcome
}

/** The state after the change; undefined if it would be removed permanently. */
export type RowOutcome = { readonly after: FieldsOfThing | undefined } | { readonly refused: RowRefusal }

export interface RowRefusal extends Why {
  readonly code: string
}

export interface ChangesPage {
  readonly resource: Resource
  readonly operation: Operation
  readonly rows: readonly SelectedRow[]
  /** The sent parameters of the operation, with their faults. */
  readonly form: DocumentForm
  readonly commandId: string
  /** The sent parameters, to be sent again. */
  readonly params: { readonly [name: string]: string }
  /** The address of the list. */
  readonly back: { readonly path: string; readonly href: string }
  /** Whether somebody else changed a row meanwhile, so that nothing was done. */
  readonly isLate: boolean
}

/** The change of selected rows: its parameters, the effect on each row, and the button that does it. */
export function changesPage(page: ChangesPage): Markup {
  const { rows, operation, back, form, isLate } = page
  const isPreviewed = rows.some(({ outcome }) => outcome !== undefined)
  const head = pageHead({
    crumbs: crumb(back.href, say('Back to the list')),
    title: say(operation.title),
    about: say('{count} rows selected', { count: rows.length }),
  })
  if (rows.length === 0) return html`${head}${nothing(back.href)}`
  return html`${head}${isLate && lateNotice()}${form.fields.length > 0 && parameters(page, isPreviewed)}${
    isPreviewed && preview(page)
  }`
}

const nothing = (href: string): Markup => html`<div class="empty"><p>${say('No rows were selected.')}</p>
<p><a class="button plain" href="${href}">${say('Back to the list')}</a></p></div>
`

function lateNotice(): Markup {
  const why = say('Nothing was changed: somebody else has just changed one of them. This is how it is now.')
  return html`<section class="refused panel" role="alert"><p>${why}</p></section>
`
}

function parameters({ form, rows, operation, back }: ChangesPage, isPreviewed: boolean): Markup {
  const sent = control({ _operation: operation.name, _return: back.path, _step: 'preview' }, rows)
  const button = isPreviewed
    ? html`<button type="submit" class="plain">${say('Preview again')}</button>`
    : html`<button type="submit">${say('Preview')}</button>`
  return html`<section class="panel" aria-label="${form.title}">
<form class="framed" method="post" action="${form.action}" aria-label="${form.title}">
${sent}${contentMarkup(form, 'change')}
<p class="send">${button}</p>
</form></section>
`
}

const control = (fields: { readonly [name: string]: string }, rows: readonly SelectedRow[]): readonly Hole[] => [
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`),
  rows.map(({ id, revision }) => html`<input type="hidden" name="${id}" value="${revision}">`),
]

function preview(page: ChangesPage): Markup {
  const { resource, rows } = page
  const possible = rows.filter(({ outcome }) => outcome !== undefined && 'after' in outcome)
  const changing = possible.filter((row) => changes(row, page))
  const [same, refused] = [possible.length - changing.length, rows.length - possible.length]
  const change = say('{count} rows will change.', { count: changing.length })
  const stay = [
    same > 0 && [' ', say('{count} rows stay as they are.', { count: same })],
    refused > 0 && [' ', say('{count} rows cannot change and stay as they are.', { count: refused })],
  ]
  const shown = table<SelectedRow>({
    id: 'preview-title',
    columns: [
      { head: say(label(resource.name)), cell: ({ href, name }) => crumb(href, name) },
      { head: say('What changes'), cell: (row) => outcomeOf(row, resource) },
    ],
    rows,
  })
  return panel('preview', say('Preview'), [
    html`<p>${change}${stay}</p>\n`,
    changing.length > 0 && applying(page, changing),
    shown,
  ])
}

/** Whether a row differs afterwards, or the operation changes no fields at all, as a note does. */
const changes = ({ before, outcome }: SelectedRow, { operation, resource }: ChangesPage): boolean =>
  outcome !== undefined &&
  'after' in outcome &&
  (outcome.after === undefined ||
    operation.changes.length === 0 ||
    changedFields(resource, before, outcome.after).length > 0)

const changedFields = ({ names }: Resource, before: FieldsOfThing, after: FieldsOfThing): readonly string[] =>
  names.filter((field) => !unseen.has(field) && !isSame(before[field], after[field]))

function applying({ operation, form, params, back, commandId }: ChangesPage, changing: readonly SelectedRow[]): Markup {
  const hidden = { ...params, _operation: operation.name, _return: back.path, _step: 'apply', _command: commandId }
  const submit = say('{operation}: {count} rows', { operation: say(operation.title), count: changing.length })
  return html`<form class="framed" method="post" action="${form.action}">
${control(hidden, changing)}<p class="send">
<button type="submit"${operation.danger && html` class="danger"`}>${submit}</button>
<a href="${back.href}">${say('Cancel|leave without doing it')}</a></p>
</form>
`
}

function outcomeOf({ before, outcome }: SelectedRow, resource: Resource): Hole {
  if (outcome === undefined) return undefined
  if ('refused' in outcome)
    return html`<span class="mark off">${say('Not possible')}</span> ${refusalText(outcome.refused)}`
  const { after } = outcome
  if (after === undefined) return mark('late', say('Deleted permanently'))
  const changed = changedFields(resource, before, after).map((field) => {
    const [was, is] = [before, after].map((thing) => valueText(resource, field, thing))
    const what = html`<del>${was || '–'}</del> › <ins>${is || '–'}</ins>`
    return html`<li>${phrase('{about}: {what}', { about: fieldText(resource, field), what })}</li>`
  })
  if (changed.length > 0) return html`<ul class="plain-list">${changed}</ul>`
  return html`<span class="quiet">${say('Its fields stay as they are')}</span>`
}

/** A field of several choices has them in one order. */
const isSame = (one: unknown, other: unknown): boolean => plainText(one ?? '') === plainText(other ?? '')

/** Fields that change with everything. */
const unseen = new Set(['updatedAt', 'revision'])

const refusalText = (refusal: RowRefusal): Hole =>
  refusal.code === 'stale-revision' ? say('It was changed meanwhile.') : whyMarkup(refusal)

import { say } from '../../languages/say.ts'
import type { Operation, Resource } from '../../model/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { mark } from '../parts/marks.ts'
import type { FieldsOfThing } from '../parts/shown.ts'
import { valueText } from '../parts/value-text.ts'
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
  const title = say(operation.title)
  const head = html`<header class="head"><div><p class="crumbs"><a href="${back.href}">${say('Back to the list')}</a></p><h1>${title}</h1><p class="quiet">${say('{count} rows selected', { count: rows.length })}</p></div></header>
${isLate && html`<section class="refused panel" role="alert"><p>${say('Nothing was changed: somebody else has just changed one of them. This is how it is now.')}</p></section>`}`
  if (rows.length === 0)
    return html`${head}<div class="empty"><p>${say('No rows were selected.')}</p><p><a class="button plain" href="${back.href}">${say('Back to the list')}</a></p></div>`
  return html`${head}${form.fields.length > 0 && parameters(page, isPreviewed)}${isPreviewed && preview(page)}`
}

function parameters({ form, rows, operation, back }: ChangesPage, isPreviewed: boolean): Markup {
  return html`<section class="panel" aria-label="${form.title}"><form class="framed" method="post" action="${form.action}" aria-label="${form.title}">
${control({ _operation: operation.name, _return: back.path, _step: 'preview' }, rows)}${contentMarkup(form, 'change')}
<p class="send"><button type="submit"${isPreviewed && html` class="plain"`}>${isPreviewed ? say('Preview again') : say('Preview')}</button></p>
</form></section>
`
}

const control = (fields: { readonly [name: string]: string }, rows: readonly SelectedRow[]): readonly Hole[] => [
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`),
  rows.map(({ id, revision }) => html`<input type="hidden" name="${id}" value="${revision}">`),
]

function preview({ resource, rows, operation, form, params, back, commandId }: ChangesPage): Markup {
  const possible = rows.filter(({ outcome }) => outcome !== undefined && 'after' in outcome)
  const refused = rows.length - possible.length
  const hidden = { ...params, _operation: operation.name, _return: back.path, _step: 'apply', _command: commandId }
  return html`<section class="panel" aria-labelledby="preview"><h2 id="preview">${say('Preview')}</h2>
<p>${say('{count} rows will change.', { count: possible.length })}${refused > 0 && html` ${say('{count} rows cannot change and stay as they are.', { count: refused })}`}</p>
${
  possible.length > 0 &&
  html`<form class="framed" method="post" action="${form.action}">
${control(hidden, possible)}<p class="send"><button type="submit"${operation.danger && html` class="danger"`}>${say('{operation}: {count} rows', { operation: say(operation.title), count: possible.length })}</button><a href="${back.href}">${say('Cancel|leave without doing it')}</a></p>
</form>`
}
<div class="table" role="group" aria-labelledby="preview" tabindex="0"><table><thead><tr><th scope="col">${say(label(resource.name))}</th><th scope="col">${say('What changes')}</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row"><a href="${row.href}">${row.name}</a></th><td>${outcomeOf(row, resource)}</td></tr>\n`)}</tbody></table></div>
</section>
`
}

function outcomeOf({ before, outcome }: SelectedRow, resource: Resource): Hole {
  if (outcome === undefined) return undefined
  if ('refused' in outcome)
    return html`<span class="mark off">${say('Not possible')}</span> ${refusalText(outcome.refused)}`
  const { after } = outcome
  if (after === undefined) return mark('late', say('Deleted permanently'))
  const changed = resource.names.filter((field) => !unseen.has(field) && before[field] !== after[field])
  const changes = changed.map((field) => {
    const [was, is] = [before, after].map((thing) => valueText(resource, field, thing))
    const what = html`<del>${was || '–'}</del> › <ins>${is || '–'}</ins>`
    return html`<li>${phrase('{about}: {what}', { about: say(label(field)), what })}</li>`
  })
  if (changes.length > 0) return html`<ul class="plain-list">${changes}</ul>`
  return html`<span class="quiet">${say('Its fields stay as they are')}</span>`
}

/** Fields that change with everything. */
const unseen = new Set(['updatedAt', 'revision'])

const refusalText = (refusal: RowRefusal): Hole =>
  refusal.code === 'stale-revision' ? say('It was changed meanwhile.') : whyMarkup(refusal)

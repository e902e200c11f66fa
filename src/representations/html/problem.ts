import { type Data, type DataObject, isDataObject } from '../read-document.ts'
import { html, Markup } from './markup.ts'
import { anchor, definitionsMarkup, valueMarkup } from './value.ts'

/** RFC 9457 for people: what went wrong, where, and what else is known. */
export function problemMarkup(problem: DataObject): Markup {
  const { detail, type, errors } = problem
  const faults = Array.isArray(errors) ? errors.filter(isDataObject) : []
  return html`${typeof detail === 'string' && html`<p class="detail">${detail}</p>\n`}${
    faults.length > 0 && html`<ul class="errors">${faults.map(faultMarkup)}</ul>\n`
  }${definitionsMarkup(problem, shownElsewhere)}
${typeof type === 'string' && html`<p>${Markup.of(anchor(type, 'About this kind of problem'))}</p>\n`}`
}

const shownElsewhere: ReadonlySet<string> = new Set(['title', 'detail', 'type', 'errors'])

function faultMarkup({ pointer, parameter, header, detail = null }: DataObject): Markup {
  const place: Data = pointer ?? parameter ?? header ?? ''
  return html`<li>${place !== '' && html`<code>${valueMarkup(place)}</code> `}${valueMarkup(detail)}</li>`
}

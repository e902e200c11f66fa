import { valuesIn } from '../../queries/parse-query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames, settingNamed, settingNames } from '../../queries/settings.ts'
import type { FormField } from '../../representations/document.ts'
import { fieldMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { withQuery } from '../../values/address.ts'

/** A filter bar. Its fields are named as filters, so that the form's query is the view's query. */
export interface FilterBar {
  /** The view that is filtered. */
  readonly address: string
  /** Where the form is sent: it drops the empty fields, which the view would refuse, and redirects. */
  readonly action: string
  readonly fields: readonly Omit<FormField, 'required'>[]
  readonly parameters: readonly Parameter[]
}

export function filterBar({ address, action, fields, parameters }: FilterBar): Markup {
  const names = new Set(fields.map(({ name }) => name))
  // A field shows the last of several filters with its name; the others stay as hidden fields.
  const shown = new Map(parameters.filter(({ name }) => names.has(name)).map((each) => [each.name, each]))
  const kept = parameters.filter((each) => shown.get(each.name) !== each && !placeNames.has(each.name))
  return html`<form class="filters" method="get" action="${action}" aria-label="Filter">
${kept.flatMap(hiddenFields)}
${fields.map((field, at) => fieldMarkup(withValue(field, shown.get(field.name)?.value), `filter-${at + 1}`))}
<p class="field"><button type="submit">Filter</button></p>
</form>
${chips(address, fields, parameters)}`
}

/** One for each value of a list: a browser would encode its commas, and an encoded comma is part of a value. */
const hiddenFields = (parameter: Parameter): readonly Markup[] =>
  valuesIn(parameter).map((value) => html`<input type="hidden" name="${parameter.name}" value="${value}">`)

const withValue = (field: Omit<FormField, 'required'>, value: string | undefined): FormField => ({
  ...field,
  required: false,
  nothing: 'any',
  ...(value !== undefined && { value }),
})

/** The filters in use, each with a link that removes it. Those without a field are spelled as in the address. */
function chips(address: string, fields: FilterBar['fields'], parameters: readonly Parameter[]): Markup | undefined {
  const filters = parameters.filter(({ name }) => !settingNames.has(name))
  if (filters.length === 0) return undefined
  const kept = parameters.filter(({ name }) => !placeNames.has(name))
  const entries = filters.map((filter) => {
    const rest = kept.filter((each) => each !== filter)
    return html`<li><a href="${withQuery(address, rest)}"><span class="unseen">Without </span>${chipText(filter, fields)} <span aria-hidden="true">×</span></a></li>`
  })
  const none = kept.filter(({ name }) => settingNames.has(name))
  return html`<nav aria-label="Filters that hold"><ul class="chips">${entries}${
    filters.length > 1 && html`<li><a class="plain" href="${withQuery(address, none)}">Clear all</a></li>`
  }</ul></nav>
`
}

function chipText({ name, value }: Parameter, fields: FilterBar['fields']): string {
  const field = fields.find((each) => each.name === name)
  if (field !== undefined) return `${field.label}: ${value === 'true' ? 'yes' : value === 'false' ? 'no' : value}`
  // `age>18` has its value in its name; a browser adds an `=`.
  const isWhole = value === undefined || (value === '' && /[<>]/.test(name))
  return isWhole ? name : `${name}=${value}`
}

/** The text in place of an empty list. */
export function emptyList(noun: string, address: string, parameters: readonly Parameter[]): Markup {
  if (parameters.every(({ name }) => settingNames.has(name))) return html`<p class="empty">No ${noun}s yet.</p>\n`
  return html`<p class="empty">No ${noun}s match. <a href="${address}">Show all ${noun}s</a></p>\n`
}

/** The same address with one parameter set. */
export function withParameter(address: string, parameters: readonly Parameter[], name: string, value: string): string {
  const setting = settingNamed(name)
  const isOther = (other: string) => other !== name && (setting === undefined || settingNamed(other) !== setting)
  const others = parameters.filter((each) => isOther(each.name) && !placeNames.has(each.name))
  return withQuery(address, [...others, { raw: `${name}=${encodeURIComponent(value)}` }])
}

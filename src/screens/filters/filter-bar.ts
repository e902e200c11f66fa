import { say } from '../../languages/say.ts'
import type { Text, Words } from '../../languages/text.ts'
import type { Collection } from '../../queries/collection.ts'
import { readFilterParameter, valuesIn } from '../../queries/parse/parse-query.ts'
import { isTerm } from '../../queries/query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames, settingNamed, settingNames } from '../../queries/settings.ts'
import { comparisonOf, mergeTerms } from '../../queries/term.ts'
import type { FormField } from '../../representations/document.ts'
import { fieldMarkup, regionField } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { onceFor } from '../../values/memoize.ts'
import type { Names } from '../parts/names.ts'
import { filterWords, thingNamed } from './filter-words.ts'

/** A filter bar. Its fields are named as filters, so that the form's query is the list's query. */
export interface FilterBar {
  readonly collection: Collection
  /** The filtered view. */
  readonly address: string
  /** The target of the form: it drops the empty fields, which the list would refuse, and redirects. */
  readonly action: string
  /** The same array on every page, so that empty fields are written once. */
  readonly fields: readonly FormField[]
  readonly parameters: readonly Parameter[]
  /** Names of filters that the page shows differently. */
  readonly shownElsewhere?: readonly string[]
  /** The things that the filters name. */
  readonly names?: Names
  /** Further tools for the list, in the same row. */
  readonly beside?: Markup | undefined
}

/** The first field, the others behind a button, and what is filtered. With scripts a change applies at once. */
export function filterBar(bar: FilterBar): Markup {
  const { collection, address, action, fields, parameters, shownElsewhere = [], names: named, beside } = bar
  const names = new Set(fields.map(({ name }) => name))
  // A field shows the last of several filters with its name; the others stay as hidden fields.
  const shown = new Map(parameters.filter(({ name }) => names.has(name)).map((each) => [each.name, each]))
  const kept = parameters.filter((each) => shown.get(each.name) !== each && !placeNames.has(each.name))
  const empty = emptyFields(fields)
  const [first, ...others] = fields.map((field, at) => {
    const value = shown.get(field.name)?.value
    return value === undefined ? empty[at] : filterField(filled(field, value, collection, named), at)
  })
  return html`<div class="bar"><form class="filters" method="get" action="${action}" aria-label="${say('Filter')}">
${kept.flatMap(hiddenFields)}${regionField(fields)}
${first}${others.length === 0 ? submit : folded(others)}</form>
${chips(collection, address, parameters, shownElsewhere, named)}${beside}</div>
`
}

/** A field shows the thing that it names. */
function filled(field: FormField, value: string, { fields }: Collection, names: Names | undefined): FormField {
  const { name, picks } = field
  if (picks === undefined) return { ...field, value }
  const kind = fields.get(name)?.kind
  const text = kind && thingNamed(kind, value, names)
  return { ...field, value, picks: { ...picks, ...(text && { chosen: { value, text, detail: '' } }) } }
}

const submit = html`<p class="field"><button type="submit">${say('Filter')}</button></p>\n`

const folded = (fields: readonly (Markup | undefined)[]): Markup =>
  html`<details class="drop"><summary class="button plain" data-icon="filter">${say('Filters')}</summary>
<div class="drop-panel">${fields}${submit}</div></details>
`

/** One for each value of a list: a browser would encode its commas, and an encoded comma is part of a value. */
export const hiddenFields = (parameter: Parameter): readonly Markup[] =>
  valuesIn(parameter).map((value) => html`<input type="hidden" name="${parameter.name}" value="${value}">`)

const emptyFields = onceFor((fields: readonly FormField[]) => fields.map(filterField))

/** The first one has its label within it, where there is room for one row only. */
function filterField(field: FormField, at: number): Markup {
  const placed = at === 0 ? { placeholder: field.label } : {}
  return fieldMarkup({ ...field, ...placed, nothing: say('any') }, `filter-${at + 1}`)
}

/** The active conditions, each with a link that removes only it. */
function chips(
  collection: Collection,
  address: string,
  parameters: readonly Parameter[],
  shownElsewhere: readonly string[],
  names: Names | undefined,
): Markup | undefined {
  const conditions = conditionsIn(
    collection,
    parameters.filter(({ name }) => !shownElsewhere.includes(name)),
    names,
  )
  if (conditions.length === 0) return undefined
  const kept = parameters.filter(({ name }) => !placeNames.has(name))
  const entries = conditions.map(({ words, statedBy }) => {
    const rest = kept.filter((each) => !statedBy.includes(each))
    const without = html`<span class="unseen">${say('Without')} </span>`
    const cross = html`<span aria-hidden="true">×</span>`
    return html`<li><a href="${withQuery(address, rest)}">${without}${words} ${cross}</a></li>`
  })
  const none = kept.filter(({ name }) => settingNames.has(name))
  return html`<nav aria-label="${say('Active filters')}"><ul class="chips">${entries}${
    conditions.length > 1 && html`<li><a class="plain" href="${withQuery(address, none)}">${say('Clear all')}</a></li>`
  }</ul></nav>
`
}

interface StatedCondition {
  readonly words: Words
  /** Several parameters if a comparison is repeated. */
  readonly statedBy: readonly Parameter[]
}

/** The conditions of a query, in words. */
export function conditionsIn(
  collection: Collection,
  parameters: readonly Parameter[],
  names?: Names,
): readonly StatedCondition[] {
  const read = parameters.flatMap((parameter, at) => {
    const condition = settingNames.has(parameter.name) ? undefined : readFilterParameter(collection, parameter)
    if (condition === undefined || 'fault' in condition) return []
    return [{ parameter, condition, same: isTerm(condition) ? comparisonOf(condition) : at }]
  })
  return [...Map.groupBy(read, ({ same }) => same).values()].map((group) => {
    const conditions = group.map(({ condition }) => condition)
    const [merged = conditions[0]] = mergeTerms(conditions.filter(isTerm))
    return { words: merged ? filterWords(merged, names) : '', statedBy: group.map(({ parameter }) => parameter) }
  })
}

/** The texts for an empty list. */
export interface EmptyList {
  /** There is nothing yet. */
  readonly none: Text
  /** The filters leave nothing. */
  readonly noMatch: Text
  /** The link to everything. */
  readonly all: Text
  readonly address: string
  readonly parameters: readonly Parameter[]
  /** The next step while there is nothing yet. */
  readonly next?: Markup | undefined
  /** The next step instead of the link to everything. */
  readonly instead?: Markup | undefined
}

/** An empty list says why it is empty, and what to do about it. */
export function emptyList({ none, noMatch, all, address, parameters, next, instead }: EmptyList): Markup {
  const kept = parameters.filter(({ name }) => settingNames.has(name) && !placeNames.has(name))
  if (parameters.every(({ name }) => settingNames.has(name)))
    return html`<div class="empty"><p>${none}</p>${next}</div>\n`
  const everything = html`<a class="button plain" href="${withQuery(address, kept)}">${all}</a>`
  return html`<div class="empty"><p>${noMatch}</p>${instead ?? html`<p>${everything}</p>`}</div>\n`
}

/** The button of an empty list. */
export const nextStep = (href: string | undefined, text: Text): Markup | undefined =>
  href === undefined ? undefined : html`<p><a class="button" href="${href}">${text}</a></p>`

/** The same address with one parameter set, to each of its possible values. */
export function withParameter(
  address: string,
  parameters: readonly Parameter[],
  name: string,
): (value: string) => string {
  const setting = settingNamed(name)
  const isOther = (other: string) => other !== name && (setting === undefined || settingNamed(other) !== setting)
  const others = parameters.filter((each) => isOther(each.name) && !placeNames.has(each.name))
  const unset = withQuery(address, [...others, { raw: `${name}=` }])
  return (value) => unset + encodeURIComponent(value)
}

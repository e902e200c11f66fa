import type { Parameter } from '../../queries/query-string.ts'
import { settingNamed } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { withParameter } from '../filters/filter-bar.ts'

export interface Head {
  readonly text: string
  /** The field that the column can be sorted by. */
  readonly field?: string
  /** `number` aligns right, `wide` is hidden on narrow screens. */
  readonly kind?: 'number' | 'wide' | 'number wide'
}

/** The heads of a table. A sortable one links to the list in its order, and from there to the reverse. */
export function sortHeads(heads: readonly Head[], address: string, parameters: readonly Parameter[]): Markup {
  const sort = parameters.find(({ name }) => settingNamed(name) === 'sort')?.value ?? ''
  return html`<thead><tr>${heads.map(({ text, field, kind }) => {
    const shown = kind !== undefined && html` class="${kind}"`
    if (field === undefined) return html`<th scope="col"${shown}>${text}</th>`
    const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
    const href = withParameter(address, parameters, 'sort', order === 'ascending' ? `-${field}` : field)
    return html`<th scope="col"${shown}${order !== undefined && html` aria-sort="${order}"`}><a href="${href}">${text}</a></th>`
  })}</tr></thead>
`
}

/** Whether a chronological list is sorted by `field` with the latest first. */
export const isLatestFirst = (parameters: readonly Parameter[], field: string): boolean =>
  parameters.some(({ name, value }) => settingNamed(name) === 'sort' && value === `-${field}`)

/** A link to the same list in the reverse order. */
export function orderLink(address: string, parameters: readonly Parameter[], field: string): Markup {
  const latest = isLatestFirst(parameters, field)
  const href = withParameter(address, parameters, 'sort', latest ? field : `-${field}`)
  return html`<p><a class="button plain" href="${href}">${latest ? 'Oldest first' : 'Latest first'}</a></p>`
}

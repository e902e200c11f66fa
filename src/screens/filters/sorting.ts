import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { settingNamed } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withParameter } from './filter-bar.ts'

export interface Head {
  readonly text: Text
  /** The field that the column can be sorted by. */
  readonly field?: string
  /** `number` aligns at the end, `wide` is hidden on narrow screens, as the table declares. */
  readonly kind?: 'number' | 'wide' | 'number wide'
  /** The operation that sets the column's value: the script offers it in the cell. */
  readonly operation?: string
}

/**
 * The heads of a table. A sortable one links to the list in its order, and from there to the reverse. `order` is the
 * default of the list.
 */
export function sortHeads(
  heads: readonly Head[],
  address: string,
  parameters: readonly Parameter[],
  { order = '' }: { readonly order?: string | undefined } = {},
): Markup {
  const sort = parameters.find(({ name }) => settingNamed(name) === 'sort')?.value ?? order
  const sortedBy = withParameter(address, parameters, 'sort')
  return html`<thead><tr>${heads.map(({ text, field, kind, operation }) => {
    const number = kind?.startsWith('number') && html` class="number"`
    const about = html`${number}${operation !== undefined && html` data-set="${operation}"`}`
    if (field === undefined) return html`<th scope="col"${about}>${text}</th>`
    const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
    const href = sortedBy(order === 'ascending' ? `-${field}` : field)
    const sorted = order !== undefined && html` aria-sort="${order}"`
    return html`<th scope="col"${about}${sorted}><a href="${href}">${text}</a></th>`
  })}</tr></thead>
`
}

/** Whether a chronological list is sorted by `field` with the latest first. */
const isLatestFirst = (parameters: readonly Parameter[], field: string): boolean =>
  parameters.some(({ name, value }) => settingNamed(name) === 'sort' && value === `-${field}`)

/** A link to the same list in the reverse order. */
export function orderLink(address: string, parameters: readonly Parameter[], field: string): Markup {
  const latest = isLatestFirst(parameters, field)
  const href = withParameter(address, parameters, 'sort')(latest ? field : `-${field}`)
  return html`<p><a class="button plain" href="${href}">${latest ? say('Oldest first') : say('Latest first')}</a></p>`
}

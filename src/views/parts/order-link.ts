import { html, type Markup } from '../../representations/html/markup.ts'
import { type Parameter, withParameter } from './filter-bar.ts'

/** Whether a list that is told in the order it happened is asked for the other way round. */
export const isLatestFirst = (parameters: readonly Parameter[], field: string): boolean =>
  parameters.some(({ name, value }) => name === 'sort' && value === `-${field}`)

/** The way to the same list in the other order. */
export function orderLink(address: string, parameters: readonly Parameter[], field: string): Markup {
  const latest = isLatestFirst(parameters, field)
  const href = withParameter(address, parameters, 'sort', latest ? field : `-${field}`)
  return html`<p><a class="button plain" href="${href}">${latest ? 'Oldest first' : 'Latest first'}</a></p>`
}

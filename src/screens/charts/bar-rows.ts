import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { bar } from './bar.ts'

export interface BarRow {
  readonly label: Markup
  readonly value: number
  readonly text: Hole
  readonly note: Markup
}

/** Bars with their numbers, as a table. */
export function barRows(caption: Markup, heads: readonly [Text, Text, Text], rows: readonly BarRow[]): Markup {
  const most = Math.max(...rows.map(({ value }) => value), 1)
  const [label, value, note] = heads.map((head) => html`<th scope="col">${head}</th>`)
  return html`<table class="bars">
<caption>${caption}</caption>
<colgroup><col><col><col><col></colgroup>
<thead class="unseen"><tr>${label}<td></td>${value}${note}</tr></thead>
<tbody>
${rows.map((row) => barRow(row, most))}</tbody>
</table>
`
}

const barRow = ({ label, value, text, note }: BarRow, most: number): Markup => html`<tr><th scope="row">${label}</th>
<td class="drawn">${bar(value, most)}</td><td class="number">${text}</td><td class="number quiet">${note}</td></tr>
`

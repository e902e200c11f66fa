import { type Hole, html, type Markup } from '../../representations/html/markup.ts'

/** A table with row headers in its first column; a wide one scrolls. */
export function plainTable(heads: readonly string[], rows: readonly (readonly Hole[])[], caption?: string): Markup {
  return html`<div class="table">
<table>
${caption !== undefined && html`<caption>${caption}</caption>\n`}<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>
</div>
`
}

export const code = (text: string): Markup => html`<code>${text}</code>`

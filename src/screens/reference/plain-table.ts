import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'

/** A table with row headers in its first column; a wide one scrolls, and takes the focus so that a keyboard can scroll it. */
export function plainTable(heads: readonly string[], rows: readonly (readonly Hole[])[], caption?: string): Markup {
  const columns = heads.map((head) => html`<th scope="col">${head}</th>`)
  const body = rows.map(([name, ...cells]) => {
    const others = cells.map((cell) => html`<td>${cell}</td>`)
    return html`<tr><th scope="row">${name}</th>${others}</tr>\n`
  })
  return html`<div class="table" role="group" aria-label="${caption ?? heads.join(', ')}" tabindex="0">
<table>
${caption !== undefined && html`<caption>${caption}</caption>\n`}<thead><tr>${columns}</tr></thead>
<tbody>
${body}</tbody>
</table>
</div>
`
}

export const code = (text: string): Markup => html`<code>${text}</code>`

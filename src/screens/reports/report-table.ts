import { numberText } from '../../languages/formats.ts'
import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { bar } from '../charts/bar.ts'

/** Numbers as a table, with a bar for rows that have one. */
export interface ReportTable {
  /** Unique in the page. */
  readonly id: string
  readonly caption: Text
  /** For the labels, and for each cell. */
  readonly heads: readonly [Text, ...Text[]]
  readonly rows: readonly ReportRow[]
  readonly total?: ReportRow
}

export interface ReportRow {
  readonly label: Hole
  readonly bar?: number
  readonly cells: readonly Hole[]
}

export function reportTable({ id, caption, heads, rows, total }: ReportTable): Markup {
  const most = Math.max(...rows.map(({ bar = 0 }) => bar))
  const hasBars = most > 0
  const [first, ...others] = heads
  const empty = hasBars && html`<td></td>`
  const cells = (row: ReportRow): readonly Markup[] =>
    row.cells.map((cell) => html`<td class="number">${typeof cell === 'number' ? numberText(cell) : cell}</td>`)
  const body = rows.map((row) => {
    const shown = hasBars && html`<td class="drawn">${bar(row.bar ?? 0, most)}</td>`
    return html`<tr><th scope="row">${row.label}</th>${shown}${cells(row)}</tr>\n`
  })
  const columns = others.map((head) => html`<th scope="col" class="number">${head}</th>`)
  const foot = total && html`<tfoot><tr><th scope="row">${total.label}</th>${empty}${cells(total)}</tr></tfoot>\n`
  return html`<div class="table" role="group" aria-labelledby="${id}" tabindex="0"><table class="report">
<caption id="${id}">${caption}</caption>
<thead><tr><th scope="col">${first}</th>${empty}${columns}</tr></thead>
<tbody>
${body}</tbody>
${foot}</table></div>
`
}

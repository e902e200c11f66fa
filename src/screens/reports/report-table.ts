import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'

/** Numbers as a table, with a bar for each row where a row has one. */
export interface ReportTable {
  /** Unique in the page. */
  readonly id: string
  readonly caption: Text
  /** Of the labels, and of each cell. */
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
  const [label, ...others] = heads
  return html`<div class="table" role="group" aria-labelledby="${id}" tabindex="0"><table class="report">
<caption id="${id}">${caption}</caption>
<thead><tr><th scope="col">${label}</th>${hasBars && html`<td></td>`}${others.map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr><th scope="row">${row.label}</th>${hasBars && html`<td class="bar">${bar(row.bar ?? 0, most)}</td>`}${cells(row)}</tr>\n`)}</tbody>
${total && html`<tfoot><tr><th scope="row">${total.label}</th>${hasBars && html`<td></td>`}${cells(total)}</tr></tfoot>\n`}</table></div>
`
}

const cells = (row: ReportRow): readonly Markup[] => row.cells.map((cell) => html`<td class="number">${cell}</td>`)

const bar = (value: number, most: number): Markup =>
  html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${Number(((value / most) * 100).toFixed(2))}" height="10" rx="1"/></svg>`

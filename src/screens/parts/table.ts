import { numberText } from '../../languages/formats.ts'
import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'

export interface Column<Row> {
  readonly head: Text
  /** `number` aligns at the end, `wide` is hidden on narrow screens, `brief` does not break. */
  readonly kind?: 'number' | 'wide' | 'number wide' | 'brief'
  readonly cell: (row: Row) => Hole
  /** Whether it names the row; without such a column the first does. */
  readonly isName?: true
}

export interface DataTable<Row> {
  /** Unique in the page: that of the caption, or of the heading of the table. */
  readonly id: string
  readonly caption?: Hole
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** The text if there are no rows. */
  readonly none?: Text
}

/** A table for people. A wide one scrolls, and takes the focus so that a keyboard can scroll it. */
export function table<Row>({ id, caption, columns, rows, none }: DataTable<Row>): Markup {
  if (rows.length === 0 && none !== undefined) return html`<p class="empty">${none}</p>\n`
  const name = columns.find(({ isName }) => isName) ?? columns[0]
  const heads = columns.map(({ head, kind }) => html`<th scope="col"${classOf(kind)}>${head}</th>`)
  const cell = (column: Column<Row>, row: Row): Markup =>
    column === name
      ? html`<th scope="row"${classOf(column.kind)}>${content(column, row)}</th>`
      : html`<td${classOf(column.kind)}>${content(column, row)}</td>`
  const body = rows.map((row) => html`<tr>${columns.map((column) => cell(column, row))}</tr>\n`)
  return html`<div class="table" role="group" aria-labelledby="${id}" tabindex="0">
<table>
${caption !== undefined && html`<caption id="${id}">${caption}</caption>\n`}<thead><tr>${heads}</tr></thead>
<tbody>
${body}</tbody>
</table>
</div>
`
}

/** Numbers have the separators of the reader's region. */
function content<Row>({ cell }: Column<Row>, row: Row): Hole {
  const shown = cell(row)
  return typeof shown === 'number' ? numberText(shown) : shown
}

const classOf = (kind: string | undefined): Markup | undefined =>
  kind === undefined ? undefined : html` class="${kind}"`

import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/html/markup.ts'

export interface BarRow {
  readonly label: Markup
  readonly value: number
  readonly text: Text
  readonly note: Markup
}

/** Bars with their numbers, as a table. */
export function barRows(caption: Markup, heads: readonly [Text, Text, Text], rows: readonly BarRow[]): Markup {
  const most = Math.max(...rows.map(({ value }) => value), 1)
  return html`<table class="bars">
<caption>${caption}</caption>
<colgroup><col><col><col><col></colgroup>
<thead class="unseen"><tr><th scope="col">${heads[0]}</th><td></td><th scope="col">${heads[1]}</th><th scope="col">${heads[2]}</th></tr></thead>
<tbody>
${rows.map(
  ({
    label,
    value,
    text,
    note,
  }) => html`<tr><th scope="row">${label}</th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${share(
    value,
    most,
  )}" height="10" rx="1"/></svg></td><td class="number">${text}</td><td class="number quiet">${note}</td></tr>
`,
)}</tbody>
</table>
`
}

const share = (value: number, most: number): number => Number(((value / most) * 100).toFixed(2))

import { briefText, longMonthText, monthText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { columnChart } from '../charts/column-chart.ts'

export interface Month {
  /** Such as 2026-11. */
  readonly month: string
  readonly completed: number
  readonly cancelled: number
}

/** Two columns per month, followed by the same numbers as a table. */
export const monthColumns = (title: Text, id: string, months: readonly Month[], currency: string): Markup | undefined =>
  columnChart({
    size: 'small',
    id,
    title,
    series: [
      { label: say('Won'), kind: 'done' },
      { label: say('Lost'), kind: 'off' },
    ],
    points: months.map(({ month, completed, cancelled }) => ({
      label: monthText(month),
      values: [completed, cancelled],
    })),
    table: html`<details><summary>${say('As a table')}</summary><table>
<thead><tr><th scope="col">${say('Month')}</th><th scope="col" class="number">${say('Won')}, ${currency}</th><th scope="col" class="number">${say('Lost')}, ${currency}</th></tr></thead>
<tbody>${months.map(
      ({ month, completed, cancelled }) =>
        html`<tr><th scope="row">${longMonthText(month)}</th><td class="number">${briefText(completed)}</td><td class="number">${briefText(cancelled)}</td></tr>`,
    )}</tbody></table></details>
`,
  })

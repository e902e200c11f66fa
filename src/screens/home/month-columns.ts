import { briefText, longMonthText, monthText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { columnChart } from '../charts/column-chart.ts'
import { table } from '../parts/table.ts'

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
    table: html`<details><summary>${say('As a table')}</summary>${monthTable(id, months, currency)}</details>
`,
  })

const monthTable = (id: string, months: readonly Month[], currency: string): Markup =>
  table({
    id,
    columns: [
      { head: say('Month'), cell: ({ month }) => longMonthText(month) },
      { head: joined([say('Won'), currency], ', '), kind: 'number', cell: ({ completed }) => briefText(completed) },
      { head: joined([say('Lost'), currency], ', '), kind: 'number', cell: ({ cancelled }) => briefText(cancelled) },
    ],
    rows: months,
  })

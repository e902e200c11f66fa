import { briefText } from '../../languages/formats.ts'
import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'

/** Columns next to each other for each point; the numbers are in a table too. */
export interface ColumnChart {
  readonly size: 'small' | 'large'
  /** Unique in the page. */
  readonly id: string
  readonly title: Text
  readonly series: readonly { readonly label: Text; readonly kind: 'plain' | 'soft' | 'done' | 'off' }[]
  readonly points: readonly { readonly label: Text; readonly values: readonly number[] }[]
  /** The table, if it belongs to the figure. */
  readonly table?: Markup
}

const sizes = { small: { width: 400, height: 160 }, large: { width: 720, height: 200 } }
const LEFT = 70
const TOP = 12
const BOTTOM = 24
const MOST_LABELS = 12

/** If there are only zeros, only the table is shown. */
export function columnChart({ size, id, title, series, points, table }: ColumnChart): Markup | undefined {
  if (points.every(({ values }) => values.every((value) => value === 0))) return table
  const { width, height } = sizes[size]
  const top = roundUp(Math.max(...points.flatMap(({ values }) => values), 1))
  const step = (width - LEFT) / points.length
  const thickness = Math.min((step * 0.7) / series.length, 28)
  const every = Math.ceil(points.length / MOST_LABELS)
  const y = (value: number): number => round(TOP + (height - BOTTOM - TOP) * (1 - value / top))
  const key = series.map(({ label, kind }) => html`<span class="${kind}">${label}</span> `)
  const gridLine = (value: number): Markup => html`<line x1="${LEFT}" x2="${width}" y1="${y(value)}" y2="${y(value)}"/>
<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${briefText(value)}</text>
`
  const column = (value: number, x: number, kind: string): Markup => {
    const size = html`width="${round(thickness - 1)}" height="${round(height - BOTTOM - y(value))}"`
    return html`<rect class="${kind}" x="${round(x + 0.5)}" y="${y(value)}" ${size} rx="2"/>`
  }
  const columns = points.map(({ label, values }, at) => {
    const middle = LEFT + step * (at + 0.5)
    const left = middle - (thickness * values.length) / 2
    const each = values.map((value, nth) => value > 0 && column(value, left + nth * thickness, series[nth]?.kind ?? ''))
    const text = html`<text x="${round(middle)}" y="${height - 7}" text-anchor="middle">${label}</text>`
    return html`${each}${at % every === 0 && text}\n`
  })
  return html`<figure class="chart${size === 'large' && ' large'}">
<figcaption id="${id}">${title} <span class="key">${key}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMinYMid" role="img" aria-labelledby="${id}">
${[0, top / 2, top].map(gridLine)}${columns}</svg>
${table}</figure>
`
}

/** Rounds up to a readable number on an axis. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}

const round = (value: number): number => Number(value.toFixed(1))

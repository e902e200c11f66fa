import { briefText, longMonthText, monthText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/html/markup.ts'

export interface Month {
  /** Such as 2026-11. */
  readonly month: string
  readonly completed: number
  readonly cancelled: number
}

const WIDTH = 300
const HEIGHT = 150
const LEFT = 50
const BOTTOM = 24

/** Two columns per month, followed by the same numbers as a table. */
export function monthColumns(title: string, id: string, months: readonly Month[], currency: string): Markup {
  const top = roundUp(Math.max(...months.flatMap(({ completed, cancelled }) => [completed, cancelled]), 1))
  const step = (WIDTH - LEFT) / months.length
  const width = Math.min(step * 0.32, 28)
  const y = (value: number): number => round(8 + (HEIGHT - BOTTOM - 8) * (1 - value / top))
  const column = (kind: string, x: number, value: number): Markup | false =>
    value > 0 &&
    html`<rect class="${kind}" x="${round(x)}" y="${y(value)}" width="${round(width)}" height="${round(HEIGHT - BOTTOM - y(value))}" rx="2"/>`
  return html`<figure class="chart">
<figcaption id="${id}">${title} <span class="key"><span class="done">${say('Won')}</span> <span class="off">${say('Lost')}</span></span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}">
${[0, top / 2, top].map(
  (value) =>
    html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${briefText(value)}</text>`,
)}
${months.map(({ month, completed, cancelled }, at) => {
  const middle = LEFT + step * (at + 0.5)
  return html`${column('done', middle - width - 1, completed)}${column('off', middle + 1, cancelled)}<text x="${round(middle)}" y="${HEIGHT - 7}" text-anchor="middle">${monthText(month)}</text>
`
})}</svg>
<details><summary>${say('As a table')}</summary><table>
<thead><tr><th scope="col">${say('Month')}</th><th scope="col" class="number">${say('Won')}, ${currency}</th><th scope="col" class="number">${say('Lost')}, ${currency}</th></tr></thead>
<tbody>${months.map(
    ({ month, completed, cancelled }) =>
      html`<tr><th scope="row">${longMonthText(month)}</th><td class="number">${briefText(completed)}</td><td class="number">${briefText(cancelled)}</td></tr>`,
  )}</tbody></table></details>
</figure>
`
}

/** Rounds up to a number that reads well on an axis. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}

const round = (value: number): number => Number(value.toFixed(1))

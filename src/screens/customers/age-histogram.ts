import { briefText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/html/markup.ts'

export interface AgeGroup {
  /** The first of ten ages. */
  readonly from: number
  readonly count: number
  readonly href: string
  readonly chosen: boolean
}

const STEP = 44
const HEIGHT = 96
const BASE = 76

/** The ages of the customers. Each column links to the customers of those ages. */
export function ageHistogram(groups: readonly AgeGroup[]): Markup {
  const most = Math.max(...groups.map(({ count }) => count), 1)
  return html`<figure class="chart ages">
<figcaption id="ages">${say('How many customers there are of each age; choose a column to see only those')}</figcaption>
<svg viewBox="0 0 ${groups.length * STEP} ${HEIGHT}" preserveAspectRatio="xMinYMax" role="group" aria-labelledby="ages">
${groups.map(({ from, count, href, chosen }, at) => {
  const height = Number(((count / most) * (BASE - 16)).toFixed(1))
  const middle = at * STEP + STEP / 2
  // A screen reader says "30–39 22", which the caption explains.
  return html`<a href="${href}"${chosen && html` aria-current="true"`}><rect class="area" x="${at * STEP}" width="${STEP}" height="${HEIGHT}"/><rect x="${at * STEP + 4}" y="${BASE - height}" width="${STEP - 8}" height="${height}" rx="2"/><text x="${middle}" y="${HEIGHT - 4}" text-anchor="middle">${from}–${from + 9}</text> <text x="${middle}" y="${BASE - height - 4}" text-anchor="middle">${briefText(count)}</text></a>
`
})}</svg>
</figure>
`
}

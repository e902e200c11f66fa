import { briefText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { AgeCount } from './read.ts'

export interface AgeGroup extends AgeCount {
  readonly href: string
  readonly chosen: boolean
}

const STEP = 44
const HEIGHT = 96
const BASE = 76

/** The ages of the customers. Each column links to the customers of those ages. */
export function ageHistogram(groups: readonly AgeGroup[]): Markup {
  const most = Math.max(...groups.map(({ count }) => count), 1)
  const columns = groups.map((group, at) => column(group, at * STEP, (group.count / most) * (BASE - 16)))
  return html`<figure class="chart ages">
<figcaption id="ages">${say('Number of customers by age; choose a column to see only those')}</figcaption>
<svg viewBox="0 0 ${groups.length * STEP} ${HEIGHT}" preserveAspectRatio="xMinYMax" role="group" aria-labelledby="ages">
${columns}</svg>
</figure>
`
}

/** A screen reader says "30–39 22", which the caption explains. */
function column({ from, count, href, chosen }: AgeGroup, x: number, exactHeight: number): Markup {
  const height = Number(exactHeight.toFixed(1))
  const top = BASE - height
  const middle = x + STEP / 2
  return html`<a href="${href}"${chosen && html` aria-current="true"`}>
<rect class="area" x="${x}" width="${STEP}" height="${HEIGHT}"/>
<rect x="${x + 4}" y="${top}" width="${STEP - 8}" height="${height}" rx="2"/>
<text x="${middle}" y="${HEIGHT - 4}" text-anchor="middle">${from}–${from + 9}</text>
<text x="${middle}" y="${top - 4}" text-anchor="middle">${briefText(count)}</text></a>
`
}

import type { WorkloadResult } from './measure.ts'
import type { ServerName } from './server.ts'
import { ratio, whole } from './table.ts'

/** The reading workloads on one size of data. */
export interface Growth {
  readonly customers: number
  readonly results: readonly WorkloadResult[]
}

/** Processor time per request of the service beside its ceilings, as bars. Rows of an export are another unit. */
export function barChart(results: readonly WorkloadResult[]): string {
  const shown = results
    .map((result) => ({ ...result, measures: result.measures.filter(({ server }) => Object.hasOwn(names, server)) }))
    .filter(({ unit, measures }) => unit === 'request' && measures.length > 0)
  const most = Math.max(...shown.flatMap(({ measures }) => measures.map(({ cpu }) => cpu)))
  const parts: string[] = []
  let y = 64
  for (const { name, title, measures } of shown) {
    parts.push(`<text x="16" y="${y + 12}"><tspan class="strong">${name}</tspan> ${escaped(title)}</text>`)
    const bare = measures.find(({ server }) => server === 'bare')?.cpu
    for (const { server, cpu } of measures) {
      const width = Math.max(1, (cpu / most) * BAR)
      const beside = server === 'service' && bare !== undefined ? ` µs, ${ratio(cpu, bare)}` : ' µs'
      parts.push(
        `<rect class="${server}" x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="14" rx="2"/>`,
        `<text class="quiet" x="${(LEFT + width + 6).toFixed(1)}" y="${y + 12}">${whole(cpu)}${beside}</text>`,
      )
      y += 18
    }
    y += 12
  }
  return picture(y + 8, 'CPU per request, all threads, in µs (shorter is better)', [...legend(), ...parts])
}

const WIDTH = 860
const LEFT = 330
const BAR = 400

type Shown = Extract<ServerName, 'service' | 'bare' | 'express' | 'static'>

const names: Readonly<Record<Shown, string>> = {
  service: 'Dealdesk',
  bare: 'bare node:http + SQLite',
  express: 'Express 5 + SQLite',
  static: 'node:http, static body',
}

function legend(): readonly string[] {
  return (Object.keys(names) as Shown[]).flatMap((name, at) => [
    `<rect class="${name}" x="${16 + at * 200}" y="36" width="12" height="12" rx="2"/>`,
    `<text class="quiet" x="${16 + at * 200 + 17}" y="46">${names[name]}</text>`,
  ])
}

/** One small picture for each workload: customers to the right, time upwards, both by powers of ten. */
export function growthChart(growth: readonly Growth[]): string {
  const sizes = growth.map(({ customers }) => customers)
  const workloads = growth[0]?.results.map(({ name, title }) => ({ name, title })) ?? []
  const all = growth.flatMap(({ results }) => results.flatMap(({ measures }) => measures.map(({ cpu }) => cpu)))
  const low = Math.floor(Math.log10(Math.min(...all)))
  const high = Math.ceil(Math.log10(Math.max(...all)))
  const parts = workloads.flatMap(({ name, title }, at) => {
    const left = 60 + (at % 3) * 270
    const top = 90 + Math.floor(at / 3) * 210
    const x = (size: number): number => left + 200 * (sizes.indexOf(size) / Math.max(1, sizes.length - 1))
    const y = (cpu: number): number => top + 140 * (1 - (Math.log10(cpu) - low) / Math.max(1, high - low))
    const lines = (['service', 'bare'] as const).map((server) => {
      const points = growth.flatMap(({ customers, results }) => {
        const cpu = results.find((each) => each.name === name)?.measures.find((each) => each.server === server)?.cpu
        return cpu === undefined ? [] : [`${x(customers).toFixed(1)},${y(cpu).toFixed(1)}`]
      })
      return `<polyline class="${server} line" points="${points.join(' ')}"/>`
    })
    const powers = Array.from({ length: high - low + 1 }, (_, power) => 10 ** (low + power))
    return [
      `<text x="${left}" y="${top - 12}"><tspan class="strong">${name}</tspan> ${escaped(title)}</text>`,
      ...powers.map((cpu) => `<path class="grid" d="M${left} ${y(cpu)}h200"/>`),
      ...powers.map((cpu) => `<text class="quiet end" x="${left - 6}" y="${y(cpu) + 4}">${whole(cpu)}</text>`),
      ...sizes.map((size) => `<text class="quiet mid" x="${x(size)}" y="${top + 158}">${short(size)}</text>`),
      ...lines,
    ]
  })
  const height = 90 + Math.ceil(workloads.length / 3) * 210
  return picture(height, 'CPU µs per request as customers grow', [...legend().slice(0, 4), ...parts])
}

const short = (size: number): string => (size >= 1e6 ? `${size / 1e6}M` : `${size / 1e3}k`)

/** Readable on a light and on a dark page: it has no ground of its own. */
function picture(height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text{font:13px system-ui,sans-serif;fill:#1f2328}.strong{font-weight:600}.quiet{font-size:12px;fill:#59636e}
.end{text-anchor:end}.mid{text-anchor:middle}.grid{stroke:#8c959f;stroke-opacity:.35}
.service{fill:#0969da;stroke:#0969da}.bare{fill:#8c959f;stroke:#8c959f}.express{fill:#bf8700;stroke:#bf8700}.static{fill:#d0d7de;stroke:#d0d7de}
.line{fill:none;stroke-width:2.5}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}.service{fill:#4493f8;stroke:#4493f8}
.bare{fill:#6e7681;stroke:#6e7681}.static{fill:#3d444d;stroke:#3d444d}.line{fill:none}}
</style>
<text class="strong" x="16" y="24">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

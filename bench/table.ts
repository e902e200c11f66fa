import type { Machine } from './machine.ts'
import type { Measure, WorkloadResult } from './measure.ts'
import type { StartUp } from './start-up.ts'

/** Columns as wide as their widest cell; all but the first two stand to the right. */
export function textTable(rows: readonly (readonly string[])[], leftColumns = 2): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < leftColumns ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function resultTable(results: readonly WorkloadResult[]): string {
  const head = ['workload', 'server', 'per s', 'p50 ms', 'p99 ms', 'CPU µs', 'peak MB', 'bytes', 'CPU to the ceilings']
  return textTable([head, ...results.flatMap(workloadRows)])
}

function workloadRows({ name, title, unit, measures, missing }: WorkloadResult): readonly string[][] {
  const label = `${name} ${title}${unit === 'row' ? ' (rows)' : ''}`
  const rows = measures.map((measure, at) => {
    const { server, perSecond, p50, p99, cpu, peak, bytes } = measure
    return [
      at === 0 ? label : '',
      server,
      whole(perSecond),
      p50.toFixed(2),
      p99.toFixed(2),
      cpu < 20 ? cpu.toFixed(2) : whole(cpu),
      megabytes(peak),
      whole(bytes),
      remarks(measure, measures),
    ]
  })
  const absent = missing.map(({ server, reason }, at) => [rows.length + at === 0 ? label : '', server, reason])
  return [...rows, ...absent]
}

function remarks(measure: Measure, all: readonly Measure[]): string {
  const ceilings = measure.server === 'service' ? all.filter(({ server }) => server !== 'service') : []
  const ratios = ceilings.map(({ server, cpu }) => `${ratio(measure.cpu, cpu)} ${server}`)
  const { reads, failures, statuses } = measure
  const mixed = reads === undefined ? [] : [`read p99 ${ratio(reads.p99, reads.quiet)} of read-only`]
  const failed = failures === 0 ? [] : [`${failures} FAILED: ${JSON.stringify(statuses)}`]
  return [...ratios, ...mixed, ...failed].join(', ')
}

export const startUpTable = (starts: readonly StartUp[]): string =>
  textTable([
    ['start', 'server', 'CPU ms', 'ready ms', 'idle MB'],
    ...starts.map(({ server, cpu, readyAfter, idleMemory }) => [
      '',
      server,
      whole(cpu),
      whole(readyAfter),
      megabytes(idleMemory),
    ]),
  ])

export const machineLine = ({ date, commit, processor, cores, memoryGiB, system, node, sqlite }: Machine): string =>
  `${date}, commit ${commit}, ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, SQLite ${sqlite}`

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
export const ratio = (value: number, to: number): string => `${(value / to).toFixed(2)}×`

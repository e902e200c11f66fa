import type { DataSet } from './data-set.ts'
import type { Latency } from './load/latency.ts'
import { type Aim, type Generator, type Load, NotAnswered } from './load/load.ts'
import type { Server, ServerName } from './server.ts'
import { type Workload, workloadNamed } from './workloads.ts'

/** What one server did under one workload; each number the median of the rounds. */
export interface Measure {
  readonly server: ServerName
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of the server with all its threads, in microseconds per request or row. */
  readonly cpu: number
  /** The most resident bytes during the rounds. */
  readonly peak: number
  /** Of an answer's body. */
  readonly bytes: number
  /** Answers that were no success, over all rounds. */
  readonly failures: number
  readonly statuses: Readonly<Record<string, number>>
  readonly generatorCpu: number
  /** Where reads are mixed with writes: the reads' p99, and that of the same reads without the writes. */
  readonly reads?: { readonly p99: number; readonly quiet: number }
}

export interface WorkloadResult {
  readonly name: string
  readonly title: string
  readonly unit: Workload['unit']
  readonly measures: readonly Measure[]
  /** Why a server has no measure. */
  readonly missing: readonly { readonly server: ServerName; readonly reason: string }[]
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly connections?: number
}

/** In rounds: long enough for most of the code to be compiled as it stays. */
export const WARM_UP = 2

/** Rounds in turn, server by server, so that whatever else the machine does meets all of them. */
export async function measure(
  workload: Workload,
  servers: readonly Server[],
  data: DataSet,
  generator: Generator,
  { rounds, seconds, connections }: Rounds,
): Promise<WorkloadResult> {
  const taken = new Map<Server, Round[]>()
  const missing: { server: ServerName; reason: string }[] = []
  const aimAt = ({ port }: Server, seed: number): Aim => ({ port, workload: workload.name, data, seed, connections })
  for (const server of servers) {
    try {
      server.forgetPeak()
      await takeRound(server, aimAt(server, 0), generator, WARM_UP * seconds)
      taken.set(server, [])
    } catch (cause) {
      if (!(cause instanceof NotAnswered)) throw cause
      missing.push({ server: server.name, reason: cause.message })
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const [server, of] of taken) {
      const aim = aimAt(server, round)
      const quiet =
        workload.quiet && (await takeRound(server, { ...aim, workload: workload.quiet }, generator, seconds))
      of.push({ ...(await takeRound(server, aim, generator, seconds)), ...(quiet && { quiet: quiet.load.reads }) })
    }
  }
  const { name, title, unit } = workload
  const measures = [...taken].map(([server, of]) => summary(server.name, of))
  return { name, title, unit, measures, missing }
}

interface Round {
  readonly load: Load
  readonly cpu: number
  readonly peak: number
  readonly quiet?: Latency | undefined
}

export async function takeRound(server: Server, aim: Aim, generator: Generator, seconds: number): Promise<Round> {
  await generator.prepare(aim)
  const before = await server.cost()
  const load = await generator.run({ seconds })
  const after = await server.cost()
  // One that streams may fail only now: an answer without rows is no export.
  if (workloadNamed(aim.workload).once && load.failures > 0) {
    throw new NotAnswered(`${aim.workload} was answered with ${Object.keys(load.statuses)}`)
  }
  return { load, cpu: (after.cpu - before.cpu) / Math.max(1, load.units), peak: after.peak }
}

function summary(server: ServerName, rounds: readonly Round[]): Measure {
  const of = (read: (round: Round) => number): number => median(rounds.map(read))
  const statuses: Record<string, number> = {}
  for (const { load } of rounds) {
    for (const [status, count] of Object.entries(load.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  }
  return {
    server,
    perSecond: of(({ load }) => load.units / load.seconds),
    p50: of(({ load }) => load.all?.p50 ?? 0),
    p99: of(({ load }) => load.all?.p99 ?? 0),
    cpu: of(({ cpu }) => cpu),
    peak: Math.max(...rounds.map(({ peak }) => peak)),
    bytes: of(({ load }) => load.bytes),
    failures: rounds.reduce((sum, { load }) => sum + load.failures, 0),
    statuses,
    generatorCpu: of(({ load }) => load.generatorCpu),
    ...(rounds.some(({ quiet }) => quiet !== undefined) && {
      reads: { p99: of(({ load }) => load.reads?.p99 ?? 0), quiet: of(({ quiet }) => quiet?.p99 ?? 0) },
    }),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

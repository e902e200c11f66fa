import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A function and the time that was its own, without what it called. */
export interface SelfTime {
  readonly name: string
  readonly place: string
  readonly milliseconds: number
}

/** The part of the DevTools protocol's Profiler.Profile that is read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  /** In microseconds of the monotonic clock, which all processes share. */
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Microseconds of the monotonic clock. */
export const monotonic = (): number => Number(process.hrtime.bigint() / 1000n)

/** The functions of a .cpuprofile between two instants, those with the most time of their own first. */
export function selfTimes(text: string, from: number, to: number): readonly SelfTime[] {
  const { nodes, startTime, samples, timeDeltas } = JSON.parse(text) as CpuProfile
  const microseconds = new Map<number, number>()
  let now = startTime
  for (const [at, id] of samples.entries()) {
    const passed = timeDeltas[at] ?? 0
    now += passed
    if (now >= from && now <= to) microseconds.set(id, (microseconds.get(id) ?? 0) + passed)
  }
  const functions = new Map<string, { name: string; place: string; milliseconds: number }>()
  for (const { id, callFrame } of nodes) {
    const { functionName, url, lineNumber } = callFrame
    const name = functionName === '' ? '(anonymous)' : functionName
    const place = url === '' ? '' : `${placeOf(url)}:${lineNumber + 1}`
    const key = `${name} ${place}`
    const found = functions.get(key) ?? { name, place, milliseconds: 0 }
    found.milliseconds += (microseconds.get(id) ?? 0) / 1000
    functions.set(key, found)
  }
  return [...functions.values()].sort((a, b) => b.milliseconds - a.milliseconds)
}

const placeOf = (url: string): string =>
  url.startsWith('file:') ? relative(process.cwd(), fileURLToPath(url)).replace('node_modules/', '') : url

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** What a process with all its threads has used, as the operating system counts it. */
export interface Cost {
  /** User and system time, in microseconds. */
  readonly cpu: number
  /** Resident bytes now. */
  readonly memory: number
  /** The most resident bytes since the start, or since they were last forgotten. */
  readonly peak: number
  /** The bytes given to write calls, those of sockets too; nothing where there is no /proc. */
  readonly written: number
}

/** Without /proc a process must tell of itself: it then loads this before its own code. */
export const preloadForCost: readonly string[] = existsSync('/proc/self/stat')
  ? []
  : ['--import', new URL('./report-cost.ts', import.meta.url).href]

export async function costOf(child: ChildProcess): Promise<Cost> {
  return preloadForCost.length === 0 ? fromProc(child.pid ?? 0) : reported(child)
}

/** Linux counts the peak anew from here; elsewhere it stays that of the whole life. */
export function forgetPeak({ pid }: ChildProcess): void {
  if (preloadForCost.length === 0) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

// proc(5): in ticks of USER_HZ, which is 100 on every architecture of Linux.
const MICROSECONDS_PER_TICK = 10_000

/** What the processes of a database have used together, in microseconds; nothing where there is no /proc. */
export function databaseCpu(pid: number | undefined): number {
  if (preloadForCost.length > 0 || pid === undefined) return 0
  // Each connection has a process of its own; those that have ended are in its parent's account.
  const own = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid)
  const parent = statOf(pid)
  return own.reduce((sum, stat) => sum + (stat?.cpu ?? 0), (parent?.cpu ?? 0) + (parent?.ended ?? 0))
}

interface Stat {
  readonly parent: number
  /** Of the process, and of its children that have ended. */
  readonly cpu: number
  readonly ended: number
}

/** Nothing for a process that is no more. */
function statOf(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the name in parentheses and may hold spaces; then come the state, the parent and others.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (first: number): number => Number(fields[first]) + Number(fields[first + 1])
    return {
      parent: Number(fields[1]),
      cpu: ticks(11) * MICROSECONDS_PER_TICK,
      ended: ticks(13) * MICROSECONDS_PER_TICK,
    }
  } catch {
    return undefined
  }
}

function fromProc(pid: number): Cost {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    cpu: statOf(pid)?.cpu ?? 0,
    memory: kilobytes('VmRSS') * 1024,
    peak: kilobytes('VmHWM') * 1024,
    written: writtenBy(pid),
  }
}

/** The bytes that a process has given to write calls so far. */
export function writtenBy(pid: number | 'self'): number {
  if (preloadForCost.length > 0) return 0
  return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1] ?? 0)
}

async function reported(child: ChildProcess): Promise<Cost> {
  const answer = once(child, 'message')
  child.send('cost')
  const [cost] = await answer
  return cost as Cost
}

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What a process with all its threads has used, as the operating system counts it. */
export interface Cost {
  /** User and system time, in microseconds. */
  readonly cpu: number
  /** Resident bytes now. */
  readonly memory: number
  /** The most resident bytes since the start, or since they were last forgotten. */
  readonly peak: number
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

function fromProc(pid: number): Cost {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the name in parentheses and may hold spaces; utime is the 14th field, stime the 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK,
    memory: kilobytes('VmRSS') * 1024,
    peak: kilobytes('VmHWM') * 1024,
  }
}

async function reported(child: ChildProcess): Promise<Cost> {
  const answer = once(child, 'message')
  child.send('cost')
  const [cost] = await answer
  return cost as Cost
}

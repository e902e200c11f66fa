import { setTimeout } from 'node:timers/promises'
import { median } from './measure.ts'
import type { Server, ServerName } from './server.ts'

export interface StartUp {
  readonly server: ServerName
  /** From the start of the process to its line that it is ready, in milliseconds; the median. */
  readonly readyAfter: number
  /** Resident bytes when nothing is asked; the median. */
  readonly idleMemory: number
}

/** Milliseconds until a process has given back what only its start needed. */
const SETTLED = 2000

/** Starts on an existing database, one after the other. */
export async function measureStartUp(
  server: ServerName,
  times: number,
  start: () => Promise<Server>,
): Promise<StartUp> {
  const readyAfter: number[] = []
  const memory: number[] = []
  for (let nth = 0; nth < times; nth++) {
    const started = await start()
    await setTimeout(SETTLED)
    readyAfter.push(started.readyAfter)
    memory.push((await started.cost()).memory)
    await started.stop()
  }
  return { server, readyAfter: median(readyAfter), idleMemory: median(memory) }
}

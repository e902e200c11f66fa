import { setTimeout } from 'node:timers/promises'
import { median } from './measure.ts'
import type { Server, ServerName } from './server.ts'

export interface StartUp {
  readonly server: ServerName
  /** Processor time until the line that it is ready, in milliseconds; the median. */
  readonly cpu: number
  /** From the start of the process to that line, in milliseconds; the median. */
  readonly readyAfter: number
  /** Resident bytes when nothing is asked; the median. */
  readonly idleMemory: number
}

/** Milliseconds until a process has given back what only its start needed. */
const SETTLED = 6000

/** Starts on existing databases, in turn. */
export async function measureStartUps(
  names: readonly ServerName[],
  times: number,
  start: (name: ServerName) => Promise<Server>,
): Promise<readonly StartUp[]> {
  const all: StartUp[] = []
  for (let nth = 0; nth < times; nth++) for (const name of names) all.push(await oneStart(await start(name)))
  return names.map((server) => {
    const own = all.filter((each) => each.server === server)
    const middle = (of: (each: StartUp) => number): number => median(own.map(of))
    return {
      server,
      cpu: middle(({ cpu }) => cpu),
      readyAfter: middle(({ readyAfter }) => readyAfter),
      idleMemory: middle(({ idleMemory }) => idleMemory),
    }
  })
}

async function oneStart(server: Server): Promise<StartUp> {
  const { cpu } = await server.cost()
  await setTimeout(SETTLED)
  const { memory } = await server.cost()
  await server.stop()
  return { server: server.name, cpu: cpu / 1000, readyAfter: server.readyAfter, idleMemory: memory }
}

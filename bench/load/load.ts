import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { DataSet } from '../data-set.ts'
import type { Latency } from './latency.ts'

/** What a round of asking gave. */
export interface Load {
  readonly requests: number
  /** Requests, or rows where a workload counts rows. */
  readonly units: number
  readonly seconds: number
  /** Of a body, on average. */
  readonly bytes: number
  /** Of all answers with their heads, also those of the preparation: what the server gave to the load's sockets. */
  readonly received: number
  readonly failures: number
  /** How often each status came that is no success. */
  readonly statuses: Readonly<Record<string, number>>
  readonly all: Latency | undefined
  readonly reads: Latency | undefined
  /** What the asking itself cost, in microseconds per request. */
  readonly generatorCpu: number
}

export type LoadAsked =
  | {
      readonly kind: 'prepare'
      readonly port: number
      readonly workload: string
      readonly data: string
      readonly customers: number
      readonly deals: number
      readonly seed: number
      readonly connections?: number | undefined
    }
  | ({ readonly kind: 'run' } & Length)

/** How long a load is: a time, or waves, in each of which all connections ask at once and all answers are awaited. */
export type Length = { readonly seconds: number } | { readonly waves: number }

export type LoadReply = { readonly ready: true } | { readonly load: Load } | { readonly failed: string }

export interface Aim {
  readonly port: number
  readonly workload: string
  readonly data: DataSet
  readonly seed: number
  readonly connections?: number | undefined
}

/** The load generator, a process of its own. */
export interface Generator {
  /** Opens the connections and asks once; throws when that is not answered well. */
  prepare(aim: Aim): Promise<void>
  run(length: Length): Promise<Load>
  stop(): void
}

export function startGenerator(): Generator {
  const child = fork(new URL('./generator.ts', import.meta.url), { execArgv: [] })
  const ask = async (asked: LoadAsked): Promise<LoadReply> => {
    const reply = nextMessage(child)
    child.send(asked)
    return reply
  }
  return {
    async prepare({ data: { path, customers, deals }, ...aim }) {
      const reply = await ask({ kind: 'prepare', ...aim, data: path, customers, deals })
      if ('failed' in reply) throw new NotAnswered(reply.failed)
    },
    async run(length) {
      const reply = await ask({ kind: 'run', ...length })
      if ('load' in reply) return reply.load
      throw new NotAnswered('failed' in reply ? reply.failed : 'the generator did not run')
    },
    stop: () => child.disconnect(),
  }
}

/** A workload that a server does not serve; the others can still be measured. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered'
}

async function nextMessage(child: ChildProcess): Promise<LoadReply> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  const message = once(child, 'message', { signal: ended.signal }).then(([reply]) => reply as LoadReply)
  try {
    return await Promise.race([message, exit])
  } finally {
    // Whoever lost the race rejects now, which nobody waits for.
    message.catch(() => {})
    exit.catch(() => {})
    ended.abort()
  }
}

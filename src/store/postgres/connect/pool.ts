import { StoreUnavailable } from '../../port/store.ts'
import type { Connection } from './connection.ts'

/** Connections with one user at a time, in the order of requests. */
export interface Pool {
  /** Throws the signal's reason if it is aborted before its turn. */
  use<T>(run: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly waiting: number
}

export function poolOf(connections: readonly Connection[], mostWaiting = Number.POSITIVE_INFINITY): Pool {
  const idle = [...connections]
  const waiting: ((connection: Connection) => void)[] = []

  const take = (): Promise<Connection> => {
    // A connection that is down is used only if all are.
    const up = idle.findIndex(isUp)
    const [free] = idle.splice(Math.max(up, 0), 1)
    return free === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(free)
  }
  const give = (connection: Connection): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(connection)
    else next(connection)
  }

  return {
    async use(run, signal) {
      if (waiting.length >= mostWaiting) throw new StoreUnavailable('too many searches are waiting', 1)
      const connection = await take()
      try {
        signal?.throwIfAborted()
        return await run(connection)
      } finally {
        give(connection)
      }
    },
    get waiting() {
      return waiting.length
    },
  }
}

/** A connection that is down counts as infinitely busy. */
export const isUp = ({ pending }: Connection): boolean => pending !== Number.POSITIVE_INFINITY

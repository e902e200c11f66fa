import { type Connection, openConnection, type Row, type Session, type Statement, type Values } from './connection.ts'

/** A fixed set of connections, apart by how long their statements may keep others waiting. */
export interface Connections {
  /** Point reads and pages that an index answers. */
  read(statement: Statement, values: Values): Promise<readonly Row[]>
  /** Whatever may scan. */
  scan(statement: Statement, values: Values): Promise<readonly Row[]>
  /** How many of those wait behind another. */
  readonly scans: { readonly waiting: number }
  /** A statement that is a transaction of its own; those with one key follow each other on one connection. */
  write(key: string, statement: Statement, values: Values): Promise<readonly Row[]>
  /** Statements of one transaction: the connection is the caller's alone until it is done. */
  transaction<T>(run: (connection: Session) => Promise<T>): Promise<T>
  /** Calls when an instance, be it this one, said that it committed events. */
  onWord(listener: () => void): void
  /** Whether there is a connection for each of these. */
  isWhole(): boolean
  close(): Promise<void>
}

/** Where instances say it. */
export const EVENTS_CHANNEL = 'dealdesk_events'

const READERS = 2
const SCANNERS = 2
const WRITERS = 3
const TRANSACTIONS = 3

export async function openConnections(url: string): Promise<Connections> {
  let onWord = (): void => {}
  const hearing = { channel: EVENTS_CHANNEL, heard: () => onWord() }
  const open = (count: number) => Promise.all(Array.from({ length: count }, () => openConnection(url)))
  const readers = [await openConnection(url, hearing), ...(await open(READERS - 1))]
  const [scanners, writers, exclusive] = await Promise.all([open(SCANNERS), open(WRITERS), open(TRANSACTIONS)])
  const idle = [...exclusive]
  const waiting: ((connection: Connection) => void)[] = []

  const take = (): Promise<Connection> => {
    // One that is down is taken only when all are.
    const up = idle.findIndex(isUp)
    const [free] = idle.splice(Math.max(up, 0), 1)
    return free === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(free)
  }
  const give = (connection: Connection): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(connection)
    else next(connection)
  }

  /** A deal's own, so that those who wait for it hold up no other; while that one is down, any. */
  const writerOf = (key: string): Connection => {
    const own = writers[placeOf(key, WRITERS)]
    return own === undefined || !isUp(own) ? leastBusy(writers) : own
  }

  return {
    read: (statement, values) => leastBusy(readers).query(statement, values),
    scan: (statement, values) => leastBusy(scanners).query(statement, values),
    scans: {
      get waiting() {
        return scanners.filter(isUp).reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0)
      },
    },
    write: (key, statement, values) => writerOf(key).query(statement, values),
    async transaction(run) {
      const connection = await take()
      try {
        return await run(connection.pinned())
      } finally {
        give(connection)
      }
    },
    onWord(listener) {
      onWord = listener
    },
    isWhole: () => [readers, scanners, writers, exclusive].every((kind) => kind.some(isUp)),
    async close() {
      await Promise.all([...readers, ...scanners, ...writers, ...exclusive].map((each) => each.close()))
    },
  }
}

/** One that is down counts as busy without end. */
const isUp = ({ pending }: Connection): boolean => pending !== Number.POSITIVE_INFINITY

const leastBusy = (connections: readonly Connection[]): Connection =>
  connections.reduce((least, each) => (each.pending < least.pending ? each : least))

function placeOf(key: string, count: number): number {
  let sum = 0
  for (let at = 0; at < key.length; at++) sum = (sum * 31 + key.charCodeAt(at)) | 0
  return Math.abs(sum) % count
}

import type { Durations } from '../../../monitoring/durations.ts'
import type { PoolUse } from '../../port/store.ts'
import { type Connection, openConnection, type Row, type Session, type Statement, type Values } from './connection.ts'
import { heldResults, type Results } from './held-results.ts'
import type { ConnectionOptions } from './new-session.ts'
import { newOwner } from './owners.ts'
import { isUp, type Pool, poolOf } from './pool.ts'
import { placeOf } from './primary.ts'
import { reachTeller } from './reach.ts'
import { BUDGET, type Search, SHORT_TRY, searcher } from './searches.ts'

/** A fixed set of connections, grouped by how long their statements may block others. */
export interface Connections {
  /** The name of this instance in its claims: alive while a session holds the lock of that name. */
  readonly owner: string
  /** Point reads and pages that an index answers. */
  read(statement: Statement, values: Values): Promise<readonly Row[]>
  /** Reads that may scan. */
  scan(statement: Statement, values: Values): Promise<readonly Row[]>
  /** Text searches and groups. */
  readonly search: Search
  /** Results that are computed as a whole and fetched in batches. */
  readonly results: Results
  /** The number of waiting scans and searches. */
  readonly scans: { readonly waiting: number }
  /** All connections together. */
  readonly pool: PoolUse
  /** A statement that is its own transaction. */
  write(statement: Statement, values: Values): Promise<readonly Row[]>
  /** The transaction of a batch of writes, which never waits long for locks. */
  batch<T>(run: (connection: Session) => Promise<T>): Promise<T>
  /** The transaction of a client's batch, which waits for the locks of all its things. */
  together<T>(run: (connection: Session) => Promise<T>): Promise<T>
  /** Any other transaction: it may wait for locks. */
  transaction<T>(run: (connection: Session) => Promise<T>): Promise<T>
  /** Calls when any instance, this one included, announced committed events. */
  onWord(listener: () => void): void
  /** Whether every group has a connection. */
  isWhole(): boolean
  /** Ends every connection at once: everything that waits for the database fails. */
  giveUp(): void
  close(): Promise<void>
}

/** The channel of the announcements. */
export const EVENTS_CHANNEL = 'dealdesk_events'

/** Within the database: the process id of an ended process may have been reused. */
const CANCEL = {
  name: 'cancel',
  text: 'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1::int AND datname = current_database()',
}

const READERS = 2
const SCANNERS = 2
const SEARCHERS = 2
const MOST_SEARCHES = 256
const BATCHES = 2
const TOGETHER = 2
const TRANSACTIONS = 3
/** Of those without a budget, one is for the queries of HTML pages, which come one at a time. */
const PATIENT = 2
/** One writes, one runs short searches, one holds whole results. */
const SINGLE = 3
/** Milliseconds that a statement without a budget may take. */
const LONGEST_QUESTION = 120_000

/** The number of connections of an instance. */
export const CONNECTIONS: number = READERS + SCANNERS + SEARCHERS + PATIENT + BATCHES + TOGETHER + TRANSACTIONS + SINGLE

/**
 * Statements of a write are planned once, whatever the size of a batch: rows are looked up by their keys, even if the
 * tables were small at that time.
 */
const settings = [
  ...['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'],
  ...['enable_hashjoin=off', 'enable_mergejoin=off'],
]

/** `version` is that of our schema. */
export async function openConnections(
  url: string,
  version: number,
  onNote: (line: string) => void = () => {},
  durations?: Durations,
): Promise<Connections> {
  let all: Kinds = []
  const reach = reachTeller(placeOf(url), () => all.flat().every(isUp), onNote)
  let onWord = (): void => {}
  const owner = newOwner()
  const shared = { version, reach, ...(durations && { durations }) }
  const listening = { channel: EVENTS_CHANNEL, owner, heard: () => onWord() }
  const open = (count: number, options?: ConnectionOptions) =>
    Array.from({ length: count }, () => openConnection(url, { ...options, ...shared }))
  all = await allOrNone([
    [openConnection(url, { listening, ...shared }), ...open(READERS - 1)],
    open(SCANNERS),
    open(1),
    open(BATCHES, { longestLock: 500, settings }),
    open(TOGETHER, { longestLock: 4000, settings }),
    open(TRANSACTIONS, { settings }),
    open(1, { longestStatement: SHORT_TRY }),
    open(SEARCHERS, { longestStatement: BUDGET }),
    open(PATIENT, { longestStatement: LONGEST_QUESTION }),
    open(1, { longestStatement: LONGEST_QUESTION }),
  ])
  const [readers = [], scanners = [], writers = [], batching = [], large = [], exclusive = [], ...searchers] = all
  const pools = searchers.map((each) => poolOf(each, MOST_SEARCHES)) as [Pool, Pool, Pool, Pool]
  const [short, long, unbounded, holding] = pools
  const cancel = (processId: number) => leastBusy(readers).query(CANCEL, [processId])
  const batches = poolOf(batching)
  const together = poolOf(large)
  const transactions = poolOf(exclusive)

  const scans = {
    get waiting() {
      const scanning = scanners.filter(isUp).reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0)
      return pools.reduce((sum, { waiting }) => sum + waiting, scanning)
    },
  }

  return {
    owner,
    read: (statement, values) => leastBusy(readers).query(statement, values),
    scan: (statement, values) => leastBusy(scanners).query(statement, values),
    search: searcher({ short, long, unbounded }, cancel),
    results: heldResults(holding, cancel),
    scans,
    pool: {
      get used() {
        return all.flat().filter((each) => isUp(each) && each.pending > 0).length
      },
      get idle() {
        return all.flat().filter(({ pending }) => pending === 0).length
      },
      get down() {
        return all.flat().filter((each) => !isUp(each)).length
      },
      get waiting() {
        return scans.waiting + batches.waiting + together.waiting + transactions.waiting
      },
    },
    write: (statement, values) => leastBusy(writers).query(statement, values),
    batch: (run) => batches.use((connection) => run(connection.pinned())),
    together: (run) => together.use((connection) => run(connection.pinned())),
    transaction: (run) => transactions.use((connection) => run(connection.pinned())),
    onWord(listener) {
      onWord = listener
    },
    isWhole: () => all.every((kind) => kind.some(isUp)),
    giveUp() {
      for (const each of all.flat()) each.giveUp()
    },
    async close() {
      await Promise.all(all.flat().map((each) => each.close()))
    },
  }
}

type Kinds = readonly (readonly Connection[])[]

/** If one connection fails, the others are closed, so that a failed start leaves none open. */
async function allOrNone(kinds: readonly (readonly Promise<Connection>[])[]): Promise<Kinds> {
  const made = await Promise.allSettled(kinds.flat())
  const failed = made.find(({ status }) => status === 'rejected')
  if (failed?.status !== 'rejected') return Promise.all(kinds.map((kind) => Promise.all(kind)))
  await Promise.allSettled(made.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)))
  throw failed.reason
}

const leastBusy = (connections: readonly Connection[]): Connection =>
  connections.reduce((least, each) => (each.pending < least.pending ? each : least))

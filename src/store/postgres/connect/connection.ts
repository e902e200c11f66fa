import type pg from 'pg'
import type { Durations } from '../../../monitoring/durations.ts'
import { StoreUnavailable } from '../../port/store.ts'
import type { Row, Statement, Values } from '../../sql/statement.ts'
import {
  asUnavailable,
  ConnectionLost,
  endsConnection,
  GivenUp,
  isMissing,
  isReadOnly,
  isRepeatable,
  movedOn,
  NotConnected,
} from './faults.ts'
import { connectPrimary, FIRST_CONNECT_TIMEOUT } from './primary.ts'
import type { Reach } from './reach.ts'

export type { Row, Statement, Values }

/** One connection with pipelined statements; it reconnects automatically. */
export interface Connection {
  /** Throws `StoreUnavailable` at once while there is no connection. */
  query(statement: Statement, values?: Values): Promise<readonly Row[]>
  /** The current session: once it breaks, its statements fail and none of them uses the next session. */
  pinned(): Session
  /** The number of statements in progress. */
  readonly pending: number
  /** The server process that runs them; undefined while there is no connection. */
  readonly processId: number | undefined
  /** Ends it at once: statements in progress and later ones fail. */
  giveUp(): void
  close(): Promise<void>
}

export type Session = Pick<Connection, 'query'>

/** Listens for notifications, on a connection whose lock shows other instances that this one is alive. */
export interface ListenOptions {
  readonly channel: string
  /** Its lock lasts as long as the session. */
  readonly owner: string
  readonly heard: () => void
}

const RECONNECT_TIMEOUT = 5000
/** Added to the server's own limit: this one is for a server that no longer responds. */
const ANSWER_TIMEOUT = 3000
const LONGEST_STATEMENT = 5000
const LONGEST_LOCK = 2000
const MOST_PENDING = 5000
const SHORTEST_PAUSE = 50
const LONGEST_PAUSE = 1000

/** In milliseconds: the server's time limit for a statement. */
export interface ConnectionOptions {
  readonly listening?: ListenOptions
  readonly longestStatement?: number
  readonly longestLock?: number
  /** Further settings of the session, such as for its planner. */
  readonly settings?: readonly string[]
  /** Of our schema; something missing in another is not a defect. */
  readonly version?: number
  /** Called when it cannot be restored, and when it is. */
  readonly reach?: Reach
  /** Of its statements, from when they are sent. */
  readonly durations?: Durations
}

/** Rejects if the first connection fails. */
export async function openConnection(url: string, options: ConnectionOptions = {}): Promise<Connection> {
  let client: pg.Client | undefined = await connect(url, FIRST_CONNECT_TIMEOUT, options)
  let pending = 0
  let closed = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  const watch = (watched: pg.Client): void => {
    const lost = (): void => {
      if (client !== watched) return
      client = undefined
      // An error does not always close the socket.
      watched.end().catch(() => {})
      again()
    }
    watched.on('error', lost)
    watched.on('end', lost)
  }

  const again = (): void => {
    if (closed) return
    const pause = Math.min(SHORTEST_PAUSE * 2 ** failures++, LONGEST_PAUSE) * (0.5 + Math.random() / 2)
    timer = setTimeout(() => void reconnect(), pause)
    timer.unref()
  }

  const reconnect = async (): Promise<void> => {
    try {
      const made = await connect(url, RECONNECT_TIMEOUT, options)
      if (closed) return void made.end().catch(() => {})
      client = made
      failures = 0
      watch(made)
      options.reach?.made()
    } catch (cause) {
      if (closed) return
      options.reach?.failed(cause)
      again()
    }
  }

  const send = async (through: pg.Client, statement: Statement, values: Values): Promise<readonly Row[]> => {
    pending++
    const began = performance.now()
    try {
      const result = await through.query<unknown[]>({ ...statement, values: values.map(carried), rowMode: 'array' })
      return result.rows
    } catch (cause) {
      if (isReadOnly(cause)) through.emit('error', cause as Error)
      if (endsConnection(cause)) throw new ConnectionLost('the connection to the database was lost', 1, cause)
      throw isRepeatable(cause) ? cause : asUnavailable(cause)
    } finally {
      pending--
      options.durations?.observe((performance.now() - began) / 1000)
    }
  }

  /**
   * Not for the statements of a transaction, in which nothing can be queried after a failure: `may_write` has already
   * checked.
   */
  const tellMissing = async (through: pg.Client, cause: unknown): Promise<never> => {
    const { version } = options
    if (!isMissing(cause) || version === undefined) throw cause
    const isOurs = await send(through, IS_OURS, [version]).then(
      ([row]) => row?.[0] === true,
      (second) => !isMissing(second),
    )
    throw isOurs ? cause : movedOn(cause)
  }

  const current = (): pg.Client => {
    if (closed) throw new GivenUp('the service is stopping', 5)
    if (client === undefined) throw new NotConnected('the database cannot be reached', 1)
    return client
  }

  watch(client)
  return {
    async query(statement, values = []) {
      const through = current()
      if (pending >= MOST_PENDING) throw new StoreUnavailable('too many requests wait for the database', 1)
      return send(through, statement, values).catch((cause) => tellMissing(through, cause))
    },
    pinned() {
      const through = current()
      return { query: (statement, values = []) => send(through, statement, values) }
    },
    get pending() {
      return client === undefined ? Number.POSITIVE_INFINITY : pending
    },
    get processId() {
      return (client as WithProcess | undefined)?.processID
    },
    giveUp() {
      closed = true
      clearTimeout(timer)
      ;(client as WithSocket | undefined)?.connection.stream.destroy()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const open = client
      client = undefined
      await open?.end()
    },
  }
}

const IS_OURS = { name: 'is-ours', text: 'SELECT version = $1 FROM dealdesk_schema' }

/** PostgreSQL refuses U+0000. No text of ours has it or U+0001, so either finds nothing. */
function carried(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\u0001') : value
  return Array.isArray(value) ? value.map(carried) : value
}

/** The driver has these, its types do not. */
type WithProcess = pg.Client & { readonly processID: number }
type WithSocket = pg.Client & { readonly connection: { readonly stream: { destroy(): void } } }

const SETTINGS = [
  // The segments of a page must stay in order, which parallel workers would not ensure.
  ...['max_parallel_workers_per_gather=0', 'jit=off'],
  // A transaction that waited for a lock sees what the previous holder has committed.
  'default_transaction_isolation=read\\ committed',
]

async function connect(
  url: string,
  timeout: number,
  { listening, longestStatement = LONGEST_STATEMENT, longestLock = LONGEST_LOCK, settings = [] }: ConnectionOptions,
): Promise<pg.Client> {
  const client = await connectPrimary(url, {
    application_name: 'dealdesk',
    options: [...SETTINGS, ...settings].map((each) => `-c ${each}`).join(' '),
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: timeout,
    query_timeout: Math.max(longestStatement, LONGEST_STATEMENT) + ANSWER_TIMEOUT,
    statement_timeout: longestStatement,
    lock_timeout: longestLock,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser: parserOf },
  })
  try {
    await client.query(DURABLE)
    if (listening !== undefined) await listen(client, listening)
    return client
  } catch (cause) {
    // The next attempt makes a new connection.
    await client.end().catch(() => {})
    throw cause
  }
}

/** An acknowledged write survives a crash of the server; a stronger setting stays. */
const DURABLE = `SELECT set_config('synchronous_commit', 'local', false) WHERE current_setting('synchronous_commit') = 'off'`

async function listen(client: pg.Client, { channel, owner, heard }: ListenOptions): Promise<void> {
  client.on('notification', heard)
  await client.query(`LISTEN ${channel}`)
  // A shared lock, because our broken session may not have ended yet.
  await client.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 0))', [owner])
}

const BOOLEAN = 16
const BIGINT = 20

/** Every integer is safe, except totals that an earlier release stored. */
function parserOf(type: number): (text: string) => string | number | bigint | boolean {
  if (type === BIGINT) return integerOf
  return type === BOOLEAN ? (text) => text === 't' : (text) => text
}

function integerOf(text: string): number | bigint {
  const integer = Number(text)
  return Number.isSafeInteger(integer) ? integer : BigInt(text)
}

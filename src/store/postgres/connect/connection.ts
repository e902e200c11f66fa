import type pg from 'pg'
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
import { type ConnectionOptions, newSession } from './new-session.ts'
import { FIRST_CONNECT_TIMEOUT } from './primary.ts'

export type { Row, Statement, Values }

export interface Session {
  query(statement: Statement, values?: Values): Promise<readonly Row[]>
}

const RECONNECT_TIMEOUT = 5000
const MOST_PENDING = 5000
const SHORTEST_PAUSE = 50
const LONGEST_PAUSE = 1000

/** Rejects if the first connection fails. */
export const openConnection = async (url: string, options: ConnectionOptions = {}): Promise<Connection> =>
  new Connection(url, options, await newSession(url, FIRST_CONNECT_TIMEOUT, options))

/** One connection with pipelined statements; it reconnects automatically. */
export class Connection implements Session {
  readonly #url: string
  readonly #options: ConnectionOptions
  #client: pg.Client | undefined
  #pending = 0
  #isClosed = false
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, options: ConnectionOptions, client: pg.Client) {
    this.#url = url
    this.#options = options
    this.#use(client)
  }

  /** Throws `StoreUnavailable` at once while there is no connection. */
  async query(statement: Statement, values: Values = []): Promise<readonly Row[]> {
    const through = this.#current()
    if (this.#pending >= MOST_PENDING) throw new StoreUnavailable('too many requests wait for the database', 1)
    return this.#send(through, statement, values).catch((cause) => this.#tellMissing(through, cause))
  }

  /** The current session: once it breaks, its statements fail and none of them uses the next session. */
  pinned(): Session {
    const through = this.#current()
    return { query: (statement, values = []) => this.#send(through, statement, values) }
  }

  /** The number of statements in progress. */
  get pending(): number {
    return this.#client === undefined ? Number.POSITIVE_INFINITY : this.#pending
  }

  /** The server process that runs them; undefined while there is no connection. */
  get processId(): number | undefined {
    return (this.#client as WithProcess | undefined)?.processID
  }

  /** Ends it at once: statements in progress and later ones fail. */
  giveUp(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    ;(this.#client as WithSocket | undefined)?.connection.stream.destroy()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const open = this.#client
    this.#client = undefined
    await open?.end()
  }

  #current(): pg.Client {
    if (this.#isClosed) throw new GivenUp('the service is stopping', 5)
    if (this.#client === undefined) throw new NotConnected('the database cannot be reached', 1)
    return this.#client
  }

  async #send(through: pg.Client, statement: Statement, values: Values): Promise<readonly Row[]> {
    this.#pending++
    const began = performance.now()
    try {
      const result = await through.query<unknown[]>({ ...statement, values: values.map(carried), rowMode: 'array' })
      return result.rows
    } catch (cause) {
      if (isReadOnly(cause)) through.emit('error', cause as Error)
      if (endsConnection(cause)) throw new ConnectionLost('the connection to the database was lost', 1, cause)
      throw isRepeatable(cause) ? cause : asUnavailable(cause)
    } finally {
      this.#pending--
      this.#options.durations?.observe((performance.now() - began) / 1000)
    }
  }

  /**
   * Not for the statements of a transaction, in which nothing can be queried after a failure: `may_write` has already
   * checked.
   */
  async #tellMissing(through: pg.Client, cause: unknown): Promise<never> {
    const { version } = this.#options
    if (!isMissing(cause) || version === undefined) throw cause
    const isOurs = await this.#send(through, IS_OURS, [version]).then(
      ([row]) => row?.[0] === true,
      (second) => !isMissing(second),
    )
    throw isOurs ? cause : movedOn(cause)
  }

  #use(client: pg.Client): void {
    this.#client = client
    const lost = (): void => {
      if (this.#client !== client) return
      this.#client = undefined
      // An error does not always close the socket.
      client.end().catch(() => {})
      this.#reconnectLater()
    }
    client.on('error', lost)
    client.on('end', lost)
  }

  #reconnectLater(): void {
    if (this.#isClosed) return
    const pause = Math.min(SHORTEST_PAUSE * 2 ** this.#failures++, LONGEST_PAUSE) * (0.5 + Math.random() / 2)
    this.#timer = setTimeout(() => void this.#reconnect(), pause)
    this.#timer.unref()
  }

  async #reconnect(): Promise<void> {
    const { reach } = this.#options
    try {
      const made = await newSession(this.#url, RECONNECT_TIMEOUT, this.#options)
      if (this.#isClosed) return void made.end().catch(() => {})
      this.#failures = 0
      this.#use(made)
      reach?.made()
    } catch (cause) {
      if (this.#isClosed) return
      reach?.failed(cause)
      this.#reconnectLater()
    }
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

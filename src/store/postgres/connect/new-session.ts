import type pg from 'pg'
import type { Durations } from '../../../monitoring/durations.ts'
import { connectPrimary } from './primary.ts'
import type { Reach } from './reach.ts'

/** Listens for notifications, on a connection whose lock shows other instances that this one is alive. */
export interface ListenOptions {
  readonly channel: string
  /** Its lock lasts as long as the session. */
  readonly owner: string
  readonly heard: () => void
}

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

/** Added to the server's own limit: this one is for a server that no longer responds. */
const ANSWER_TIMEOUT = 3000
const LONGEST_STATEMENT = 5000
const LONGEST_LOCK = 2000

const SETTINGS = [
  // The segments of a page must stay in order, which parallel workers would not ensure.
  ...['max_parallel_workers_per_gather=0', 'jit=off'],
  // A transaction that waited for a lock sees what the previous holder has committed.
  'default_transaction_isolation=read\\ committed',
]

/** Connects to the server that writes, with the settings that every session needs. */
export async function newSession(
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

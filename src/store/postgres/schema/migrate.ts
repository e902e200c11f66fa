import type pg from 'pg'
import type { Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { buildSchema, NOTHING_ADDED } from '../../../model/schema/build-schema.ts'
import { behindText, type OnStep, type Opening, UnusableDatabase } from '../../port/opening.ts'
import { READ_MODEL, readModel } from '../../transactions/model/stored-model.ts'
import { connectPrimary, FIRST_CONNECT_TIMEOUT, placeOf } from '../connect/primary.ts'
import { migrations, WRITES } from './migrations.ts'
import { type InStep, isSearchPrepared, prepareSearch } from './search-index.ts'
import { allTables, analyze } from './statistics.ts'

/** Any number, the same in every release: instances that start together take turns. */
const TURNS = 0x6465616c

/**
 * Creates the schema, or migrates an old one, even if other instances do so at the same time. Each step is committed
 * with its version, so that the next start continues where one was killed. Without `onStep` an old schema is refused.
 * Throws `UnusableDatabase`.
 */
export async function migrate(url: string, source?: SchemaSource, onStep?: OnStep): Promise<Opening> {
  const place = placeOf(url)
  let client: pg.Client | undefined
  try {
    client = await connectPrimary(url, {
      application_name: 'dealdesk',
      connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT,
      // Independent of the defaults: a step may take long, and a session that waited for a lock sees what the previous
      // holder has done.
      options:
        '-c default_transaction_isolation=read\\ committed -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0',
    })
    const isFsyncOff = await inspect(client, place)
    const schema = buildSchema(source ?? (await storedIn(client)))
    await takeTurn(client, schema, onStep)
    const isNew = await bringUpToDate(client, place, schema, onStep)
    return { isNew, notes: [], ...(isFsyncOff && { caution: FSYNC_OFF }) }
  } catch (cause) {
    throw unusable(cause, place)
  } finally {
    // This also ends the turn.
    await client?.end().catch(() => {})
  }
}

export const FSYNC_OFF = 'fsync is off in PostgreSQL: a crash of its machine loses or damages data'

/** Refuses an encoding that cannot store every text; returns whether the server runs without syncing. */
async function inspect(client: pg.Client, place: string): Promise<boolean> {
  const [encoding, fsync] = await rowOf(client, `SELECT current_setting('server_encoding'), current_setting('fsync')`)
  const fault = encodingFault(String(encoding))
  if (fault !== undefined) throw new UnusableDatabase(`${place} ${fault}`)
  return fsync === 'off'
}

/** The message for a database in another encoding. */
export const encodingFault = (encoding: string): string | undefined =>
  encoding === 'UTF8'
    ? undefined
    : `has the encoding ${encoding}, which cannot keep every text; create it with: createdb -E UTF8 -T template0 NAME`

/** The model of a database that may be of an earlier release: then it is prepared without additions. */
async function storedIn(client: pg.Client): Promise<SchemaSource> {
  const [isThere] = await rowOf(client, `SELECT to_regclass('model') IS NOT NULL`)
  if (isThere !== true || (await versionOf(client)) !== migrations.length) return NOTHING_ADDED
  return readModel(await rowOf(client, READ_MODEL.text))
}

/** The stored model. */
export async function storedSource(url: string): Promise<SchemaSource> {
  const client = await connectPrimary(url, {
    application_name: 'dealdesk',
    connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT,
  })
  try {
    return await storedIn(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function takeTurn(client: pg.Client, schema: Schema, onStep: OnStep | undefined): Promise<void> {
  const [isOurs] = await rowOf(client, `SELECT pg_try_advisory_lock(${TURNS})`)
  if (isOurs === true) return
  if (!(await isCurrent(client, schema))) onStep?.('another instance migrates the database; waiting for it')
  await client.query(`SELECT pg_advisory_lock(${TURNS})`)
}

async function isCurrent(client: pg.Client, schema: Schema): Promise<boolean> {
  const [isThere] = await rowOf(client, IS_THERE)
  return isThere === true && (await versionOf(client)) === migrations.length && (await isSearchPrepared(client, schema))
}

/** Returns whether the database was empty. */
async function bringUpToDate(
  client: pg.Client,
  place: string,
  schema: Schema,
  onStep: OnStep | undefined,
): Promise<boolean> {
  const inStep = stepsOf(client)
  const [isThere, isTaken] = await rowOf(client, IS_THERE)
  if (isThere !== true && isTaken === true) throw new UnusableDatabase(`${place} has tables of another program`)
  const found = isThere === true ? await versionOf(client) : 0
  if (found > migrations.length) {
    throw new UnusableDatabase(
      `${place} was written by a newer release (schema ${found}, this one knows ${migrations.length}); start that release`,
    )
  }
  if (found === 0) await inStep(() => makeAll(client, schema))
  else if (!(await isCurrent(client, schema))) {
    if (onStep === undefined) throw new UnusableDatabase(behindText(place, found, migrations.length))
    for (const [at, migration] of migrations.entries()) {
      if (at < found) continue
      onStep(`step ${at + 1} of ${migrations.length}`)
      await inStep(async () => {
        // No instance of the old release writes during it, and none writes after it.
        await client.query(`SELECT pg_advisory_xact_lock(${WRITES})`)
        await client.query(migration.sql)
        await client.query('UPDATE dealdesk_schema SET version = $1', [at + 1])
      })
    }
    await prepareSearch(client, schema, inStep, onStep)
    onStep('statistics of the tables')
    await client.query(analyze(allTables(schema)))
  }
  await client.query(newGeneration)
  return found === 0
}

async function makeAll(client: pg.Client, schema: Schema): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS dealdesk_schema (version integer NOT NULL)')
  for (const { sql } of migrations) await client.query(sql)
  await client.query('DELETE FROM dealdesk_schema')
  await client.query('INSERT INTO dealdesk_schema VALUES ($1)', [migrations.length])
  await prepareSearch(client, schema, async (work) => void (await work()))
}

const stepsOf =
  (client: pg.Client): InStep =>
  async (work) => {
    await client.query('BEGIN')
    try {
      await work()
      await client.query('COMMIT')
    } catch (cause) {
      await client.query('ROLLBACK').catch(() => {})
      throw cause
    }
  }

const IS_THERE = `SELECT to_regclass('dealdesk_schema') IS NOT NULL, to_regclass('deals') IS NOT NULL`

const versionOf = async (client: pg.Client): Promise<number> =>
  Number((await rowOf(client, 'SELECT version FROM dealdesk_schema'))[0])

async function rowOf(client: pg.Client, text: string): Promise<readonly unknown[]> {
  return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows[0] ?? []
}

/** Positions from transactions that this server has not reached yet: they were loaded from another server. */
const newGeneration = `
  UPDATE feed_generation SET generation = substr(last, 1, 4)::bigint + 1
  FROM (
    SELECT greatest(
      (SELECT max(sequence) FROM events), (SELECT max(cursor) FROM webhooks), (SELECT max(upto) FROM trimmed_feed)
    ) AS last
  ) AS places
  WHERE lpad(generation::text, 4, '0') || lpad(pg_current_xact_id()::text, 20, '0') <= last`

/** Why a database cannot be opened, for the operator. */
export const asUnusable = (cause: unknown, url: string): Error => unusable(cause, placeOf(url))

function unusable(cause: unknown, place: string): Error {
  if (cause instanceof UnusableDatabase) return cause
  const { code = '', message = '' } = cause as { readonly code?: string; readonly message?: string }
  const reason = reasons.get(code) ?? (code.startsWith('28') ? refusedUser : `cannot be opened: ${message || code}`)
  return new UnusableDatabase(`${place} ${reason}`, { cause })
}

const refusedUser = 'refuses this user; check the name and the password in DATABASE_URL'
const unreachable = 'cannot be reached; is PostgreSQL running there?'

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', unreachable],
  ['EHOSTUNREACH', unreachable],
  ['ETIMEDOUT', unreachable],
  ['ENOENT', unreachable],
  ['ENOTFOUND', 'is on a host that is not known'],
  ['EAI_AGAIN', 'is on a host that is not known'],
  ['3D000', 'does not exist; create it with createdb'],
  ['42501', 'may not be written by this user'],
  ['25006', 'is read-only; is it a standby?'],
  ['53300', 'has no connection left'],
  ['57P03', 'is starting or stopping; try again'],
])

import type pg from 'pg'
import { type Opening, UnusableDatabase } from '../../port/opening.ts'
import { connectPrimary } from '../connect/primary.ts'
import { migrations } from './migrations.ts'
import { prepareSearch } from './search-index.ts'

/** Any number, the same in every release: instances that start together take turns. */
const LOCK = 0x6465616c

/** Brings the schema up to date, whoever else is doing so at the same time; throws `UnusableDatabase`. */
export async function migrate(url: string): Promise<Opening> {
  const place = placeOf(url)
  let client: pg.Client | undefined
  try {
    client = await connectPrimary(url, { application_name: 'dealdesk', connectionTimeoutMillis: 5000 })
    // Whatever the database's default is: who waited for the lock sees what the one before has done.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    // Held until the transaction ends.
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    const isNew = await bringUpToDate(client, place)
    await client.query('COMMIT')
    return { isNew, notes: [] }
  } catch (cause) {
    throw unusable(cause, place)
  } finally {
    await client?.end().catch(() => {})
  }
}

/** Says whether there was nothing before. */
async function bringUpToDate(client: pg.Client, place: string): Promise<boolean> {
  const version = await versionOf(client, place)
  if (version > migrations.length) {
    throw new UnusableDatabase(
      `${place} was written by a newer release (schema ${version}, this one knows ${migrations.length}); start that release`,
    )
  }
  for (const sql of migrations.slice(version)) await client.query(sql)
  if (version < migrations.length) await client.query('UPDATE dealdesk_schema SET version = $1', [migrations.length])
  await prepareSearch(client)
  await client.query(newGeneration)
  return version === 0
}

async function versionOf(client: pg.Client, place: string): Promise<number> {
  const known = await client.query(
    "SELECT to_regclass('dealdesk_schema') IS NOT NULL AS ours, to_regclass('deals') IS NOT NULL AS taken",
  )
  const { ours, taken } = known.rows[0] as { readonly ours: boolean; readonly taken: boolean }
  if (ours) return Number((await client.query('SELECT version FROM dealdesk_schema')).rows[0]?.version)
  if (taken) throw new UnusableDatabase(`${place} has tables of another program`)
  await client.query('CREATE TABLE dealdesk_schema (version integer NOT NULL)')
  await client.query('INSERT INTO dealdesk_schema VALUES (0)')
  return 0
}

/** Places from transactions that this server has not reached yet: they were loaded from another server's. */
const newGeneration = `
  UPDATE feed_generation SET generation = substr(last, 1, 4)::bigint + 1
  FROM (
    SELECT greatest(
      (SELECT max(sequence) FROM events), (SELECT max(cursor) FROM webhooks), (SELECT max(upto) FROM trimmed_feed)
    ) AS last
  ) AS places
  WHERE lpad(generation::text, 4, '0') || lpad(pg_current_xact_id()::text, 20, '0') <= last`

/** What keeps a database from being opened, as the operator is told it. */
export const asUnusable = (cause: unknown, url: string): Error => unusable(cause, placeOf(url))

/** As an operator knows it, without the password. */
const placeOf = (url: string): string => url.replace(/\/\/.*@/, '//').replace(/\?.*/, '')

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

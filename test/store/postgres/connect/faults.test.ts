import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { MOVED_ON } from '../../../../src/store/port/opening.ts'
import { openConnection } from '../../../../src/store/postgres/connect/connection.ts'
import { openConnections } from '../../../../src/store/postgres/connect/connections.ts'
import { endsConnection } from '../../../../src/store/postgres/connect/faults.ts'
import { migrations } from '../../../../src/store/postgres/schema/migrations.ts'
import { inTransaction } from '../../../../src/store/postgres/schema/transaction.ts'
import { ownPostgres } from '../../../support/database/own-database.ts'
import { freshDatabase } from '../../../support/database/postgres-database.ts'

test('a transaction that the server ended because it was idle is a lost connection', async () => {
  const client = new pg.Client({ connectionString: await freshDatabase(), idle_in_transaction_session_timeout: 20 })
  await client.connect()
  const ended = once(client, 'error')
  // The end of the socket is another.
  client.on('error', () => {})
  await client.query('BEGIN')
  const [cause] = await ended
  assert.equal(cause.code, '25P03')
  assert.ok(endsConnection(cause))
})

test('a connection that cannot have the lock of its instance is not left open', async () => {
  const url = await freshDatabase()
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query(`SELECT pg_advisory_lock(hashtextextended('me', 0))`)
  const listening = { channel: 'news', owner: 'me', heard: () => {} }
  await assert.rejects(openConnection(url, { listening, longestLock: 20 }), /lock timeout/)
  const open = async () =>
    (
      await other.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND backend_type = 'client backend'`,
      )
    ).rowCount
  // The server needs a moment to end its process.
  while ((await open()) !== 0) await pause(10)
  await other.end()
})

// Through a member of the driver that its documentation does not name: another version may have it elsewhere.
test('a connection that is given up ends its statement at once', async () => {
  const connection = await openConnection(await freshDatabase())
  const asked = connection.query({ text: 'SELECT pg_sleep(600)' })
  connection.giveUp()
  await assert.rejects(asked, /the connection to the database was lost/)
  await assert.rejects(connection.query({ text: 'SELECT 1' }), /the service is stopping/)
})

test('a missing table is a defect, unless the schema is of another release', async () => {
  const database = await ownPostgres('ready')
  const connections = await openConnections(database.url, migrations.length)
  const text = 'SELECT missing FROM customers'
  const read = () => connections.read({ text }, [])
  const search = () => connections.search({ text }, [])
  const write = () => inTransaction(connections, ({ query }) => query({ text }))
  const asked = [read, search, write]
  for (const ask of asked) await assert.rejects(ask, { code: '42703' })
  await database.rows('UPDATE dealdesk_schema SET version = version + 1')
  for (const ask of asked) await assert.rejects(ask, { name: 'StoreUnavailable', message: MOVED_ON })
  // So is a release that was before the version was asked for by each write, or something else's database.
  const [{ names } = {}] = await database.rows(
    `SELECT string_agg(oid::regprocedure::text, ', ') AS names FROM pg_proc WHERE proname = 'may_write'`,
  )
  await database.rows(`DROP FUNCTION ${names}`)
  await assert.rejects(write, { name: 'StoreUnavailable', message: MOVED_ON })
  await database.rows('DROP TABLE dealdesk_schema')
  await assert.rejects(read, { name: 'StoreUnavailable', message: MOVED_ON })
  await connections.close()
  database.remove()
})

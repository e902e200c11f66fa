import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import pg from 'pg'
import { endsConnection } from '../../../../src/store/postgres/connect/faults.ts'
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

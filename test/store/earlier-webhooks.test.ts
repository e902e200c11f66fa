import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrateDatabase, openStore } from '../../src/store/open.ts'
import { earlierDatabases } from '../support/database/earlier-database.ts'
import type { OwnDatabase } from '../support/database/own-database.ts'

// The first release had no events but those of deals.

const databases: OwnDatabase[] = []
after(() => {
  for (const database of databases) database.remove()
})

for (const [name, earlier] of earlierDatabases) {
  test(`a webhook made by an earlier release without types keeps to deals, on ${name}`, async () => {
    const database = await earlier('0009-types-of-webhooks')
    databases.push(database)
    const at = '2026-11-01T08:00:00.000Z'
    const rows = [null, ['deal.held']].map((types, n) => {
      const id = `01936f2e-5d3c-7a41-8f6b-00000000000${n}`
      const members = { url: 'https://example.com/?,%22types%22:null,', types, status: 'active', revision: 1 }
      const doc = JSON.stringify({ id, ...members })
      const kept = {
        ...members,
        types: types && JSON.stringify(types),
        secret: 's',
        cursor: name === 'SQLite' ? 0 : '',
      }
      return { id, ...kept, last_number: 0, created_at: at, updated_at: at, doc }
    })
    await database.insert('webhooks', rows)
    await migrateDatabase({ databaseUrl: database.url }, () => {})
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    const types = await Promise.all(rows.map(async ({ id }) => (await store.webhooks.find(id))?.types))
    assert.deepEqual(types, [['deal.*'], ['deal.held']])
    const docs = await database.rows('SELECT doc FROM webhooks ORDER BY id')
    assert.deepEqual(
      docs.map(({ doc }) => JSON.parse(String(doc)).types),
      [['deal.*'], ['deal.held']],
    )
    await store.close()
  })
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { performAlone } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/connect/connection.ts'
import { encoded, selectRunner } from '../../src/store/sqlite/connect/statements.ts'
import { sqlite } from '../../src/store/sqlite/sql/dialect.ts'
import { tableStatements } from '../../src/store/sqlite/write/table-statements.ts'
import { changedSince } from '../../src/store/transactions/imports/changed-since.ts'
import { undoImports } from '../../src/store/transactions/imports/undo-import.ts'
import type { Work } from '../../src/store/transactions/work.ts'
import { importAllCustomers } from '../support/database/import-customers.ts'
import { type OwnDatabase, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

// All other writes wait for the undoing of an import: what it reads is counted here.

let database: OwnDatabase
before(() => {
  database = ownSqlite('ready')
})
after(() => database.remove())

const opened = () => openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))

/** Runs work in a transaction, and counts the rows and the characters that it reads. */
function counted<T>(work: Work<T>): { readonly result: T; readonly rows: number; readonly characters: number } {
  using db = connect(database.url)
  const run = selectRunner(db)
  let [rows, characters] = [0, 0]
  db.exec('BEGIN')
  let next = work.next()
  while (!next.done) {
    const found = next.value.map((each) => run(encoded(each)))
    rows += found.flat().length
    characters += JSON.stringify(found).length
    next = work.next(found)
  }
  db.exec('COMMIT')
  return { result: next.value, rows, characters }
}

test('an undoing reads the number and the revision of what an import made, and no document', async () => {
  const store = await opened()
  const many = Array.from({ length: 1100 }, (_, nth) => ({ name: `Customer ${nth}`, company: 'x'.repeat(100) }))
  await importAllCustomers(store, [many])
  await store.close()
  const [made] = await database.rows('SELECT id FROM imports')
  const since = counted(changedSince(sqlite, schema)(String(made?.id)))
  assert.deepEqual(since.result, { things: [], isTrimmed: false })
  assert.equal(since.rows, 2 * many.length)
  const undone = counted(undoImports(sqlite, tableStatements, schema)(String(made?.id), { actor: null }))
  assert.equal(undone.result.removed.customer?.length, many.length)
  assert.equal(undone.rows, many.length + 1)
  assert.ok((since.characters + undone.characters) / many.length < 60)
  assert.deepEqual(await database.rows('SELECT id FROM customers'), [])
})

test('a thing that somebody changed between two changes of an import is named', async () => {
  const store = await opened()
  const importId = randomUUID()
  const perform = async (action: string, target: string | undefined, params: object, asked: object) => {
    const outcome = await performAlone(store, intentTo(action, target, params, asked))
    assert.ok(outcome.kind === 'applied')
    return String(outcome.thing.id)
  }
  const [alone, mixed] = await Promise.all(
    ['Alone', 'Mixed'].map((name) => perform('create', undefined, { name, price: 1 }, { importId })),
  )
  for (const deal of [alone, mixed]) {
    if (deal === mixed) await perform('record-payment', deal, { amount: 1 }, {})
    await perform('record-payment', deal, { amount: 1 }, { importId })
  }
  await store.close()
  const { result } = counted(changedSince(sqlite, schema)(importId))
  assert.deepEqual(result.things, [{ on: 'deal', id: mixed, name: 'Mixed' }])
})

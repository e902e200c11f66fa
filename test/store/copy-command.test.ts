import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../src/store/open.ts'
import { performAlone } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { resources } from '../support/schema.ts'
import { runHosted } from '../support/service/hosted-command.ts'
import { inherited } from '../support/service/service-process.ts'

const main = fileURLToPath(new URL('../../src/start.js', import.meta.url))
const sqlite = ownSqlite()
let postgres: OwnDatabase
before(async () => {
  postgres = await ownPostgres()
  const store = await openStore({ databaseUrl: sqlite.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }, { command: 'first' }))
  await store.close()
})
after(() => sqlite.remove())

const copy = (source: string, target: string) =>
  runHosted({ args: ['copy', source, target], environment: inherited(), folder: dirname(sqlite.url) })

test('copy tells what it copied, and how to check it', async () => {
  const { code, stdout, stderr } = await copy(sqlite.url, postgres.url)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^own_indexes: 0 rows, sha256 [0-9a-f]{64}\ncustomers: 0 rows, sha256 [0-9a-f]{64}\n/)
  const counts = new Map([...stdout.matchAll(/^(\w+): (\d+) rows?, /gm)].map(([, table, rows]) => [table, rows]))
  // The first pipeline is there from the beginning, in the target too.
  for (const { plural } of resources)
    assert.equal(counts.get(plural), ['deals', 'pipelines'].includes(plural) ? '1' : '0', plural)
  assert.deepEqual([counts.get('events'), counts.get('commands')], ['1', '1'])
})

test('copy refuses a target that is not empty, in one line and without the password', async () => {
  const { code, stdout, stderr } = await copy(sqlite.url, postgres.url)
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(
    stderr,
    /^dealdesk: postgres:\/\/127\.0\.0\.1:\d+\/\w+ is not empty \(deals: 1 row\); copy into a new database\n$/,
  )
})

test('copy makes no database out of a misspelt name', async () => {
  const { code, stderr } = await copy(`${sqlite.url}x`, postgres.url)
  assert.equal(code, 1)
  assert.match(stderr, /^dealdesk: there is no database at .*x\n$/)
})

test('copy refuses what is no address of a database, in one line and without the password', async () => {
  for (const [source, target, named] of [
    ['postgres://mila:secret@localhost:port/x', sqlite.url, 'SOURCE=postgres://***@localhost:port/x'],
    ['postgres:/mila:secret@localhost/x', sqlite.url, 'SOURCE=postgres:/***@localhost/x'],
    ['postgres:mila:secret@localhost/x', sqlite.url, 'SOURCE=postgres:***@localhost/x'],
    [sqlite.url, 'mysql://localhost/x', 'TARGET=mysql://localhost/x'],
  ] as const) {
    const { code, stderr } = await copy(source, target)
    assert.equal(code, 1)
    assert.equal(stderr, `dealdesk: ${named} is not usable: expected a file path or postgres://…\n`)
  }
})

test('a disk that does not hold the copy is told in one line', async () => {
  const large = ownSqlite('ready')
  const target = ownSqlite()
  const instants = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  const row = { name: 'x'.repeat(200), ...instants, revision: 1, doc: '{}' }
  await large.insert(
    'customers',
    Array.from({ length: 10_000 }, () => row),
  )
  // No file may be larger than 1.5 MB.
  const command = ['-c', 'ulimit -f 3000; exec "$0" "$@"', process.execPath, main, 'copy', large.url, target.url]
  const { status, stderr } = spawnSync('/bin/sh', command, { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /^(?:copying: [^\n]*\n)*dealdesk: the database cannot be used: [^\n]*\n$/)
  await Promise.all([large.remove(), target.remove()])
})

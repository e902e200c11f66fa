import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { connect } from '../../src/store/sqlite/connect/connection.ts'
import { backUpSqlite } from '../../src/store/sqlite/operate/backup.ts'
import { eraseFreePages } from '../../src/store/sqlite/operate/erase-free-pages.ts'
import { restoreSqlite } from '../../src/store/sqlite/operate/restore.ts'
import { migrations } from '../../src/store/sqlite/schema/migrations.ts'
import { ownSqlite } from '../support/database/own-database.ts'
import { type Desk, lines, openDesk, withTables } from '../support/service/running-command.ts'
import { runService } from '../support/service/running-service.ts'

const add = async (desk: Desk, ...names: readonly string[]): Promise<void> => {
  const file = desk.write('c.csv', lines('name', ...names))
  assert.equal((await withTables(desk).run(['import', 'customers', file])).code, 0)
}
const named = (desk: Desk): readonly string[] => desk.customers().map(({ name }) => name)

suite('restore', { concurrency: 2 }, () => {
  test('puts a backup back, over what there is only with --force', async () => {
    await using desk = openDesk()
    const copy = desk.path('copy.db')
    await add(desk, 'Ann')
    await desk.run(['backup', copy])
    await add(desk, 'Ben', 'Cem')
    const [{ seq: last } = {}] = desk.rows("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
    const refused = await desk.run(['restore', copy])
    assert.deepEqual([refused.code, refused.stderr], [1, `dealdesk: ${desk.database} exists; --force replaces it\n`])
    assert.deepEqual(named(desk), ['Ann', 'Ben', 'Cem'])
    const done = await desk.run(['restore', '--force', copy])
    assert.deepEqual([done.code, done.stderr], [0, ''])
    assert.match(done.stdout, /^restored .* from .*copy\.db, [\d,]+ bytes\n$/)
    assert.deepEqual(named(desk), ['Ann'])
    assert.equal(statSync(desk.database).mode & 0o777, 0o600)
    // Readers of the feed miss nothing: what comes now has a number that none had.
    const [{ seq } = {}] = desk.rows("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
    assert.equal(seq, last)
    await add(desk, 'Dan')
    assert.deepEqual(named(desk), ['Ann', 'Dan'])
  })

  test('what was deleted is neither in the file nor in a backup', async () => {
    const database = ownSqlite('ready')
    const [marker, earlier] = ['whsec_deleted-by-this-release', 'whsec_deleted-by-an-earlier-one']
    const has = (path: string, secret: string): boolean => readFileSync(path).includes(secret)
    const db = connect(database.url)
    db.prepare('INSERT INTO kept_forms (hash, address, ends_at, sealed) VALUES (?, ?, ?, ?)').run(
      marker,
      '',
      '',
      marker,
    )
    db.exec('DELETE FROM kept_forms; PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    assert.equal(has(database.url, marker), false)
    const old = new DatabaseSync(database.url)
    old.exec('CREATE TABLE gone (text TEXT)')
    const insert = old.prepare('INSERT INTO gone VALUES (?)')
    for (let n = 0; n < 500; n++) insert.run(earlier.repeat(20))
    old.exec('DROP TABLE gone; PRAGMA wal_checkpoint(TRUNCATE)')
    old.close()
    assert.equal(has(database.url, earlier), true, 'free pages have it')
    const copy = `${database.url}-copy`
    await backUpSqlite(database.url, copy, () => {})
    assert.equal(has(copy, earlier), false)
    using read = new DatabaseSync(copy)
    assert.deepEqual({ ...read.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
    assert.ok(Number(read.prepare('PRAGMA freelist_count').get()?.freelist_count) > 50)
    database.remove()
  })

  test('takes a backup that somebody has looked at, and refuses one with a log', async () => {
    await using desk = openDesk()
    const copy = desk.path('copy.db')
    await add(desk, 'Ann')
    const left = `${copy}.${hostname()}-4194305.partial`
    writeFileSync(left, 'of a backup that was killed')
    await desk.run(['backup', copy])
    assert.ok(!existsSync(left))
    for (const end of ['-wal', '-shm']) writeFileSync(copy + end, '')
    assert.equal((await desk.run(['restore', '--force', copy])).code, 0)
    writeFileSync(`${copy}-wal`, 'a write')
    const refused = await desk.run(['restore', '--force', copy])
    assert.deepEqual([refused.code, /is no backup but a database in use/.test(refused.stderr)], [1, true])
  })

  test('refuses a backup that somebody writes meanwhile', async () => {
    await using desk = openDesk()
    const copy = desk.path('copy.db')
    await add(desk, 'Ann')
    await desk.run(['backup', copy])
    const writing = restoreSqlite(desk.path('other.db'), copy, () => utimesSync(copy, 0, 0))
    await assert.rejects(writing, /was changed while it was copied/)
    assert.equal(existsSync(desk.path('other.db')), false)
  })

  test('writes over no page that a damaged list of free pages names', async () => {
    await using desk = openDesk()
    const copy = desk.path('copy.db')
    await add(desk, 'Ann')
    await desk.run(['backup', copy])
    const whole = readFileSync(copy)
    for (const first of [1, 1_000_000]) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt32BE(first, 32)
      damaged.writeUInt32BE(5, 36)
      writeFileSync(copy, damaged)
      assert.throws(() => eraseFreePages(copy), /its list of free pages is wrong/)
      assert.deepEqual(readFileSync(copy), damaged)
    }
  })

  test('gives no number again, though the backup has none yet', async () => {
    await using desk = openDesk()
    const copy = desk.path('copy.db')
    await add(desk)
    await desk.run(['backup', copy])
    await add(desk, 'Ann', 'Ben')
    const numbers = () => desk.rows('SELECT name, seq FROM sqlite_sequence ORDER BY name')
    const before = numbers()
    assert.deepEqual(
      before.map(({ name }) => name),
      ['customers', 'events'],
    )
    assert.equal((await desk.run(['restore', '--force', copy])).code, 0)
    assert.deepEqual([named(desk), numbers()], [[], before])
  })

  test('makes a database where there is none', async () => {
    await using desk = openDesk()
    await add(desk, 'Ann')
    await desk.run(['backup', desk.path('copy.db')])
    await using other = openDesk()
    assert.equal((await other.run(['restore', desk.path('copy.db')])).code, 0)
    assert.deepEqual(named(other), ['Ann'])
  })

  test('refuses beside a service, and the service goes on', async () => {
    await using desk = openDesk()
    const service = await runService({ DATABASE_URL: desk.database })
    await add(desk, 'Ann')
    await desk.run(['backup', desk.path('copy.db')])
    const { code, stderr } = await desk.run(['restore', '--force', desk.path('copy.db')])
    assert.deepEqual([code, stderr], [1, `dealdesk: ${desk.database} is in use; stop the service first\n`])
    assert.equal((await service.request('GET', '/health/ready')).status, 200)
    await service.close()
    assert.equal((await desk.run(['restore', '--force', desk.path('copy.db')])).code, 0)
  })

  test('leaves the database as it was when the file is no whole backup of ours', async () => {
    await using desk = openDesk()
    await add(desk, ...Array.from({ length: 300 }, (_, index) => `Customer ${index}`))
    const copy = desk.path('copy.db')
    await desk.run(['backup', copy])
    const damaged = desk.path('damaged.db')
    cpSync(copy, damaged)
    const bytes = readFileSync(damaged)
    bytes.fill(7, bytes.length / 2)
    writeFileSync(damaged, bytes)
    const cut = desk.path('cut.db')
    cpSync(copy, cut)
    truncateSync(cut, statSync(copy).size - 8192)
    const newer = desk.path('newer.db')
    cpSync(copy, newer)
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 9999')
    db.close()
    const foreign = desk.path('foreign.db')
    const other = new DatabaseSync(foreign)
    other.exec('CREATE TABLE x (y)')
    other.close()
    for (const [file, said] of [
      [damaged, /damaged\.db is damaged/],
      [cut, /cut\.db is damaged/],
      [newer, /newer\.db was written by a newer release \(schema 9999/],
      [foreign, /foreign\.db is a database of another program/],
      [desk.write('list.txt', 'a shopping list'), /list\.txt is not a database file/],
      [desk.path('nowhere.db'), /nowhere\.db does not exist/],
      [desk.database, /is the database itself/],
    ] as const) {
      const { code, stderr } = await desk.run(['restore', '--force', file])
      assert.equal(code, 1, file)
      assert.match(stderr, said)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    }
    assert.equal(desk.customers().length, 300)
    assert.ok(!existsSync(`${desk.database}.partial`))
  })

  test('a backup before an update has the schema that the database had, and so has the database', async () => {
    await using desk = openDesk()
    {
      using old = new DatabaseSync(desk.database)
      old.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x6465616c}`)
      for (const { sql } of migrations.slice(0, 3)) old.exec(sql)
      old.exec('PRAGMA user_version = 3')
    }
    const copy = desk.path('copy.db')
    assert.equal((await desk.run(['backup', copy])).code, 0)
    for (const file of [desk.database, copy]) {
      using db = new DatabaseSync(file, { readOnly: true })
      assert.deepEqual({ ...db.prepare('PRAGMA user_version').get() }, { user_version: 3 }, file)
    }
  })

  test('takes the place of a damaged database, which is kept', async () => {
    await using desk = openDesk()
    await add(desk, 'Ann')
    await desk.run(['backup', desk.path('copy.db')])
    truncateSync(desk.database, 5000)
    const { code, stderr } = await desk.run(['restore', '--force', desk.path('copy.db')])
    assert.deepEqual([code, stderr], [0, `the damaged database is kept as ${desk.database}.damaged\n`])
    assert.deepEqual(named(desk), ['Ann'])
    assert.equal(statSync(`${desk.database}.damaged`).size, 5000)
    truncateSync(desk.database, 6000)
    writeFileSync(`${desk.database}-wal`, 'its log')
    const again = await desk.run(['restore', '--force', desk.path('copy.db')])
    assert.deepEqual([again.code, again.stderr], [0, `the damaged database is kept as ${desk.database}.damaged.2\n`])
    const kept = ['.damaged', '.damaged.2'].map((end) => statSync(desk.database + end).size)
    assert.deepEqual(kept, [5000, 6000])
    assert.equal(readFileSync(`${desk.database}.damaged.2-wal`, 'utf8'), 'its log')
  })

  test('puts a backup where a symbolic link leads, and keeps the link', async () => {
    await using desk = openDesk()
    await add(desk, 'Ann')
    await desk.run(['backup', desk.path('copy.db')])
    await add(desk, 'Ben')
    const link = desk.path('link.db')
    symlinkSync(desk.database, link)
    await using linked = openDesk({ DATABASE_URL: link })
    assert.equal((await linked.run(['restore', '--force', desk.path('copy.db')])).code, 0)
    assert.equal(lstatSync(link).isSymbolicLink(), true)
    assert.deepEqual(named(desk), ['Ann'])
    truncateSync(desk.database, 5000)
    assert.equal((await linked.run(['restore', '--force', desk.path('copy.db')])).code, 0)
    assert.equal(lstatSync(link).isSymbolicLink(), true)
    assert.equal(statSync(`${desk.database}.damaged`).size, 5000)
  })
})

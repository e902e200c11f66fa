import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { prepareDatabase } from '../../src/store/sqlite/schema/migrate.ts'
import { migrations } from '../../src/store/sqlite/schema/migrations.ts'
import { type DiskFaults, failingDisk } from '../support/faults/failing-disk-settings.ts'
import { oneOf, sized } from '../support/faults/scale.ts'
import { schema } from '../support/schema.ts'
import { spawnService, temporaryFolder } from '../support/service/service-process.ts'

const folder = temporaryFolder('migration')
after(() => folder.remove())

const BEGIN = 'BEGIN IMMEDIATE'
const END = `PRAGMA user_version = ${migrations.length}`

/** A kill, and the version that it leaves. */
interface Kill {
  readonly faults: DiskFaults
  readonly leaves: number
}

/**
 * Where a start that brings a schema up to date can be killed: around each of its statements. What was committed before
 * stays; a new database is made in one step.
 */
const killsFrom = (version: number): readonly Kill[] => [
  { faults: { killBefore: BEGIN }, leaves: version },
  { faults: { killAfter: BEGIN }, leaves: version },
  ...migrations.slice(version).map(({ sql }, at) => ({ faults: { killAfter: sql }, leaves: version && version + at })),
  { faults: { killBefore: END }, leaves: version && migrations.length - 1 },
  { faults: { killAfter: END }, leaves: version && migrations.length - 1 },
  { faults: { killAfter: 'CREATE VIRTUAL TABLE deals_grams' }, leaves: version && migrations.length },
]

const versions = sized([1], [...migrations.keys()])

test('a start that is killed while it migrates keeps the steps before, and the next goes on with all data', async (t) => {
  const whole = schemaOf(migrated(oldDatabase('fresh', 0)))
  let kills = 0
  for (const version of versions) {
    const all = killsFrom(version)
    for (const [n, { faults, leaves }] of oneOf('MIGRATION_KILL', all).entries()) {
      const file = oldDatabase(`${version}-${n}`, version)
      const control = `${file}.faults`
      writeFileSync(control, JSON.stringify(faults))
      const { signal, stderr } = await spawnService({ DATABASE_URL: file, ...failingDisk(control) }).ended
      assert.equal(signal, 'SIGKILL', stderr)
      kills++
      assert.equal(versionOf(file), leaves)
      assert.deepEqual(schemaOf(migrated(file)), whole)
      if (version > 0) assert.equal(customersIn(file), 1)
    }
  }
  t.diagnostic(
    `${kills} kills from schema ${versions.join(', ')} on: each start after them found a whole schema and all data`,
  )
})

/** As an earlier release left it. */
function oldDatabase(name: string, version: number): string {
  mkdirSync(join(folder.path, name))
  const file = join(folder.path, name, 'dealdesk.db')
  using db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; ${version === 0 ? '' : `PRAGMA application_id = ${0x6465616c};`}`)
  for (const { sql } of migrations.slice(0, version)) db.exec(sql)
  db.exec(`PRAGMA user_version = ${version}`)
  if (version > 0) {
    db.exec(`INSERT INTO customers (name, created_at, updated_at, revision, doc) VALUES ('Mila', '', '', 1, '{}')`)
  }
  return file
}

function migrated(file: string): string {
  prepareDatabase(file, schema, () => {})
  return file
}

function asked(file: string, sql: string): readonly Record<string, unknown>[] {
  using db = new DatabaseSync(file)
  assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
  return db.prepare(sql).all()
}

const schemaOf = (file: string) => asked(file, 'SELECT name, sql FROM sqlite_schema ORDER BY name')
const versionOf = (file: string) => asked(file, 'PRAGMA user_version')[0]?.user_version as number
const customersIn = (file: string) => asked(file, 'SELECT count(*) AS n FROM customers')[0]?.n

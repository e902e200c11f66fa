import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../src/store/open.ts'
import { performAlone } from '../../src/store/port/store.ts'
import { intentTo } from '../support/deals/intents.ts'
import { makeDeals, makeOne, storedDeals } from '../support/faults/deal-load.ts'
import { onFailingDisk } from '../support/faults/on-failing-disk.ts'
import { type ServiceHere, serviceHere } from '../support/faults/service-here.ts'
import { type Ended, type ServiceProcess, spawnService, temporaryFolder } from '../support/service/service-process.ts'

const folder = temporaryFolder('storage')
after(() => folder.remove())

const GONE = /^a file of the database was removed or replaced: .*$/
const DAMAGED = /^the database is damaged: .*database disk image is malformed/

describe('a fault of the storage is seen', { concurrency: 2 }, () => {
  test('a log that cannot be written back for want of space: not ready, said once, until it goes again; a stop leaves it', async (t) => {
    const { file, service, fail } = onFailingDisk(t, join(folder.path, 'stuck'))
    const url = await service.ready
    const first = await makeOne(url)
    fail({ checkpoints: 'full' })
    const second = await makeOne(url)
    await readiness(url, 503, 'the write-ahead log cannot be written back into the database.')
    const third = await makeOne(url)
    fail({})
    await readiness(url, 200)
    while (!service.told().includes('written back again')) await pause(20)
    const said = logged(service.told()).filter(({ msg }) => msg.includes('write-ahead log'))
    assert.deepEqual(
      said.map(({ msg }) => msg),
      [
        'the write-ahead log cannot be written back into the database: Error: database or disk is full',
        'the write-ahead log is written back again',
      ],
    )
    const fourth = await makeOne(url)
    fail({ checkpoints: 'full' })
    service.process.kill('SIGTERM')
    const { code, stderr } = await service.ended
    assert.equal(code, 0, stderr)
    const made = [first, second, third, fourth]
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
    assert.deepEqual(storedDeals(file), new Set(made.map(({ id }) => id)))
  })

  test('a log that really cannot be written back ends the process, and nothing is lost', async (t) => {
    const file = join(folder.path, 'unwritable.db')
    await fill(file, 10)
    enlarge(file, 64 * 1024 * 1024)
    // The log stays below this until it is written back, to places in the database that are beyond.
    const largestFile = 56 * 1024 * 1024
    assert.ok(statSync(file).size > largestFile)
    const service = spawn(t, file, { largestFile })
    const url = await service.ready
    const before = storedDeals(file)
    const load = await makeDeals(url, { clients: 8, goesOn: isRunning(service) })
    const { code, stderr } = await service.ended
    t.diagnostic(
      `${load.acknowledged.length} deals, then ${load.refused} × 503; log ${statSync(`${file}-wal`).size} bytes`,
    )
    assert.equal(code, 1)
    assert.match(onlyFatal(stderr), /^the write-ahead log cannot be written back into the database: .*disk I\/O error/)
    assert.deepEqual(load.wrong, [])
    assert.ok(load.acknowledged.length > 0)
    const after = storedDeals(file)
    for (const id of [...before, ...load.acknowledged]) assert.ok(after.has(id))
  })

  for (const [what, end] of [
    ['the database', ''],
    ['the log', '-wal'],
    ['the index of the log', '-shm'],
  ] as const) {
    test(`${what} is removed: nothing more is acknowledged, and the process would end`, async (t) => {
      const file = join(folder.path, `removed${end}.db`)
      const { url, fatal } = await runHere(t, file)
      const { status, id } = await makeOne(url)
      assert.equal(status, 201)
      rmSync(file + end)
      const load = await makeDeals(url, { clients: 4, goesOn: () => fatal.length === 0 })
      assert.deepEqual([load.acknowledged, load.wrong], [[], []])
      assert.equal(fatal.length, 1)
      assert.match(fatal[0] ?? '', GONE)
      if (end === '') return
      // What was acknowledged before is there for the next start, which has the files alone.
      const left = `${file}.left`
      copyFileSync(file, left)
      if (end !== '-wal') copyFileSync(`${file}-wal`, `${left}-wal`)
      assert.ok(storedDeals(left).has(id))
    })
  }

  for (const hasWritten of [true, false]) {
    test(`another database in its place: also a service that nobody asks ends, ${hasWritten ? 'after' : 'before'} a write`, async (t) => {
      const file = join(folder.path, `replaced-${hasWritten}.db`)
      const service = spawn(t, file)
      const url = await service.ready
      if (hasWritten) await makeOne(url)
      copyFileSync(file, `${file}.restored`)
      renameSync(`${file}.restored`, file)
      const { code, stderr } = await service.ended
      assert.equal(code, 1)
      assert.match(onlyFatal(stderr), GONE)
    })
  }

  test('readiness tells at once', async (t) => {
    const file = join(folder.path, 'ready.db')
    const { url, fatal } = await runHere(t, file)
    rmSync(file)
    const answer = await fetch(`${url}/health/ready`)
    assert.equal(answer.status, 503)
    const { detail, missing } = (await answer.json()) as Problem
    assert.deepEqual([detail, missing], ['a file of the database was removed or replaced.', 'store'])
    assert.equal(fatal.length, 1)
  })

  for (const [what, pathOf, method] of [
    ['a write', (id: string) => `/rest/v1/deals/${id}/archive`, 'PUT'],
    ['a point read', (id: string) => `/rest/v1/deals/${id}`, 'GET'],
    ['a page', () => '/rest/v1/deals?maxpagesize=1000', 'GET'],
    ['a search', () => '/rest/v1/deals?owner.regex=zzz&count=exact', 'GET'],
    ['the events', (id: string) => `/events?deal=${id}`, 'GET'],
    ['what is expanded', () => '/customers?expand=deals', 'GET'],
  ] as const) {
    test(`a damaged page met by ${what}: 503, not ready, and the process would end`, async (t) => {
      const { file, id } = await damaged(what.replaceAll(' ', '-'))
      const { url, fatal, lines } = await runHere(t, file)
      await answersDamaged(url, pathOf(id), method)
      assert.equal(fatal.length, 1)
      assert.match(fatal[0] ?? '', DAMAGED)
      assert.deepEqual(
        logged(lines.join('')).filter(({ route }) => route === undefined),
        [],
      )
    })
  }
})

async function answersDamaged(url: string, path: string, method: string): Promise<void> {
  const answer = await fetch(url + path, { method })
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  assert.equal(((await answer.json()) as Problem).detail, 'the database is damaged.')
  const ready = await fetch(`${url}/health/ready`).catch(() => undefined)
  if (ready !== undefined) assert.equal(ready.status, 503)
}

async function runHere(t: TestContext, file: string): Promise<ServiceHere> {
  const service = await serviceHere(file)
  t.after(() => service.close())
  return service
}

interface Problem {
  readonly detail: string
  readonly missing?: string
}

function spawn(t: TestContext, file: string, bounds?: { readonly largestFile: number }): ServiceProcess {
  const service = spawnService({ DATABASE_URL: file }, bounds)
  // A test that fails does not wait for a service that goes on.
  t.after(() => service.process.kill('SIGKILL'))
  return service
}

const isRunning = (service: ServiceProcess) => (): boolean => service.process.exitCode === null

/** Asks until it is so. */
async function readiness(url: string, status: number, detail?: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`)
    const body = (await answer.json()) as Problem
    if (answer.status === status) return detail === undefined ? undefined : assert.equal(body.detail, detail)
    await pause(20)
  }
}

interface Line {
  readonly level: string
  /** Of a request's line. */
  readonly route?: string
  readonly msg: string
  readonly err?: { readonly message: string }
}

const logged = (stderr: string): readonly Line[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** What the one line says for which the process ended. */
function onlyFatal(stderr: Ended['stderr']): string {
  const fatal = logged(stderr).filter(({ level }) => level === 'fatal')
  assert.equal(fatal.length, 1, stderr)
  return fatal[0]?.err?.message ?? ''
}

/** Content of nobody's: what is written next comes behind it. */
function enlarge(file: string, bytes: number): void {
  using db = new DatabaseSync(file)
  db.exec(`CREATE TABLE padding (content); INSERT INTO padding VALUES (zeroblob(${bytes}))`)
}

async function fill(file: string, deals: number): Promise<readonly string[]> {
  const store = await openStore({ databaseUrl: file, currency: 'EUR' }, (cause) => assert.fail(cause))
  const customer = await performAlone(store, intentTo('create', undefined, { name: 'Ann' }, { resource: 'customer' }))
  const customerId = customer.kind === 'applied' ? customer.thing.id : assert.fail()
  const made = await Promise.all(
    Array.from({ length: deals }, () =>
      performAlone(
        store,
        intentTo('create', undefined, { name: 'Roof', price: 1, description: 'x'.repeat(700), customerId }),
      ),
    ),
  )
  await store.close()
  return made.map((outcome) => (outcome.kind === 'applied' ? String(outcome.thing.id) : assert.fail()))
}

let original: Promise<{ readonly file: string; readonly id: string }> | undefined

/** A copy of one that was filled and damaged once. */
async function damaged(name: string): Promise<{ readonly file: string; readonly id: string }> {
  original ??= damagedAnew(join(folder.path, 'damaged.db'))
  const { file: from, id } = await original
  const file = join(folder.path, `damaged-${name}.db`)
  copyFileSync(from, file)
  return { file, id }
}

async function damagedAnew(file: string): Promise<{ readonly file: string; readonly id: string }> {
  const ids = await fill(file, 300)
  damageAll(file)
  return { file, id: ids[150] ?? '' }
}

/** Every page but the roots of the tables and the schema, which a start reads. */
function damageAll(file: string): void {
  const db = new DatabaseSync(file)
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { readonly page_size: number }
  const roots = new Set(
    db
      .prepare('SELECT rootpage FROM sqlite_schema')
      .all()
      .map(({ rootpage }) => rootpage),
  )
  db.close()
  const bytes = readFileSync(file)
  for (let page = 2; page <= bytes.length / size; page++) {
    const content = bytes.subarray((page - 1) * size, page * size)
    if (!roots.has(page) && !content.includes('CREATE ')) content.fill(0xa5)
  }
  writeFileSync(file, bytes)
}

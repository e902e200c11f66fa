import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { customer } from '../support/schema.ts'
import { type Desk, lines, openReadyDesk, type Shown } from '../support/service/running-command.ts'

const header = customer.names.join()
const tricky = [
  { id: 3, name: '=1+1', email: '+a@example.com', age: 30 },
  { id: 4, name: "'twas", email: null, age: 0, children: 0 },
  { id: 5, name: "''", country: 'FR', company: '@home, Ltd', phone: '+33 1' },
  { id: 7, name: 'a,"b"\r\nc', email: 'ü@example.org', age: 150, children: 50, country: 'JP' },
  { id: 8, name: '-5', createdAt: '1999-12-31T23:59:59.999Z' },
  { id: 9000000000000000, name: '陽菜 😀', age: 44 },
]

async function filled(desk: Desk): Promise<void> {
  const file = desk.write('in.ndjson', lines(...tricky.map((each) => JSON.stringify(each))))
  assert.equal((await desk.run(['import', 'customers', file])).code, 0)
}

/** What an import takes over: everything but what is the service's. */
const given = ({ updatedAt: _updatedAt, revision: _revision, ...rest }: Shown) => rest

suite('export', { concurrency: 2 }, () => {
  test('says how many there were, and the right word for one', async () => {
    await using desk = openReadyDesk()
    await desk.run(['import', 'customers', desk.write('in.csv', 'name\nAnn\n')])
    const file = desk.path('out.csv')
    assert.equal((await desk.run(['export', 'customers', file])).stdout, `exported 1 customer to ${file}\n`)
    const copied = await desk.run(['copy', desk.database, desk.path('copy.db')])
    assert.match(copied.stdout, /^customers: 1 row, sha256 /m)
  })

  test('in a process of its own, which ends when everything is written', async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    const file = desk.path('out.csv')
    const { code, stdout, stderr } = await desk.runAlone(['export', 'customers', file])
    assert.deepEqual([code, stdout, stderr], [0, `exported 6 customers to ${file}\n`, ''])
  })

  for (const format of ['csv', 'ndjson']) {
    test(`as ${format} and import into another database gives the same customers`, async () => {
      await using desk = openReadyDesk()
      await using other = openReadyDesk()
      await filled(desk)
      const file = desk.path(`out.${format}`)
      const out = await desk.run(['export', 'customers', file])
      assert.deepEqual([out.code, out.stdout, out.stderr], [0, `exported 6 customers to ${file}\n`, ''])
      const back = await other.run(['import', 'customers', file])
      assert.match(back.stdout, /^inserted 6, updated 0, unchanged 0, rejected 0 /)
      assert.deepEqual(other.customers().map(given), desk.customers().map(given))
      const again = await desk.run(['import', 'customers', file])
      assert.match(again.stdout, /^inserted 0, updated 0, unchanged 6, rejected 0 /)
    })
  }

  test('writes to standard output, plain CSV unless told otherwise', async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    const csv = await desk.run(['export', 'customers'])
    assert.equal(csv.stderr, '')
    assert.match(csv.stdout, new RegExp(`^${header}\r\n3,'=1\\+1,'\\+a@example.com,30,,,,,`))
    assert.equal((await desk.run(['export', 'customers', '-'])).stdout, csv.stdout, 'and nothing else')
    const ndjson = await desk.run([
      'export',
      'customers',
      '--format',
      'ndjson',
      '--filter',
      '?age>=30&sort=-age&fields=id,age',
    ])
    assert.equal(ndjson.stdout, lines('{"id":7,"age":150}', '{"id":9000000000000000,"age":44}', '{"id":3,"age":30}'))
    const chosen = await desk.run(['export', 'customers', '--filter', 'country=FR&fields=name,id'])
    assert.equal(chosen.stdout, "name,id\r\n'''',5\r\n".replace("'''',", "''',"))
  })

  test('refuses a filter it does not understand, and a file that is there', async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    const unknown = await desk.run(['export', 'customers', '--filter', 'agee=3'])
    assert.match(unknown.stderr, /^dealdesk: --filter: agee is not known here, did you mean age\?\n$/)
    const paged = await desk.run(['export', 'deals', '--filter', 'page=2'])
    assert.match(paged.stderr, /^dealdesk: --filter: page has no meaning in an export\n$/)
    const there = desk.write('there.csv', 'mine')
    const exists = await desk.run(['export', 'customers', there])
    assert.match(exists.stderr, /there\.csv exists; --force replaces it\n$/)
    assert.equal(readFileSync(there, 'utf8'), 'mine')
    const nowhere = await desk.run(['export', 'customers', 'nowhere/c.csv'])
    assert.equal(nowhere.stderr, 'dealdesk: the folder nowhere does not exist\n')
    const unsaid = await desk.run(['export', 'customers', 'c.txt'])
    assert.equal(
      unsaid.stderr,
      'dealdesk: choose a format for c.txt: --format csv or --format ndjson or --format xlsx\n',
    )
    assert.deepEqual(
      [unknown, paged, exists, nowhere, unsaid].map(({ code }) => code),
      [1, 1, 1, 1, 1],
    )
    assert.equal((await desk.run(['export', 'customers', there, '--force'])).code, 0)
    assert.match(readFileSync(there, 'utf8'), new RegExp(`^${header}`))
    assert.equal(existsSync(`${there}.partial`), false)
  })

  test('writes into a pipe that is there, which stays one, and follows a link to a file', async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    const pipe = desk.path('pipe')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const { code, stdout, stderr } = await desk.run(['export', 'customers', pipe, '--format', 'csv'])
    assert.deepEqual([code, stdout, stderr], [0, '', ''])
    assert.equal(lstatSync(pipe).isFIFO(), true)
    const read = Buffer.alloc(65_536)
    assert.match(read.toString('utf8', 0, readSync(reader, read)), new RegExp(`^${header}\r\n3,'=1`))
    closeSync(reader)
    const backup = await desk.run(['backup', pipe, '--force'])
    assert.match(backup.stderr, /pipe is a device or a pipe; name a file\n$/)
    assert.equal(lstatSync(pipe).isFIFO(), true)

    const there = desk.write('there.csv', 'mine')
    symlinkSync(there, desk.path('link.csv'))
    assert.equal((await desk.run(['export', 'customers', desk.path('link.csv'), '--force'])).code, 0)
    assert.equal(lstatSync(desk.path('link.csv')).isSymbolicLink(), true)
    assert.match(readFileSync(there, 'utf8'), new RegExp(`^${header}`))
  })

  test('ends well when nobody reads on, and so does what only tells what it did', async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    for (const args of [
      ['export', 'customers'],
      ['copy', desk.database, desk.path('copy.db')],
    ]) {
      const { process, ended } = desk.start(args)
      process.stdout?.destroy()
      const { code, stderr } = await ended
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
    }
    using copied = new DatabaseSync(desk.path('copy.db'))
    assert.equal(copied.prepare('SELECT id FROM customers').all().length, tricky.length)
  })

  test('fails when the disk of its standard output is full', {
    skip: !existsSync('/dev/full') && 'there is none',
  }, async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    const full = openSync('/dev/full', 'w')
    const env = { ...process.env, DATABASE_URL: desk.database }
    const main = join(import.meta.dirname, '../../src/start.js')
    for (const args of [['export', 'customers'], ['--version']]) {
      const stdio = ['ignore', full, 'pipe'] as const
      const { status, stderr } = spawnSync(process.execPath, [main, ...args], { env, stdio: [...stdio] })
      const said = 'dealdesk: standard output does not fit: the disk is full\n'
      assert.deepEqual([status, String(stderr)], [1, said], args.join(' '))
    }
    closeSync(full)
  })

  test('an import goes on when nobody reads what it tells', async () => {
    await using desk = openReadyDesk()
    const file = desk.write(
      'in.csv',
      lines('name,age', ...Array.from({ length: 100 }, (_, at) => `A,${at % 2 ? '' : 'x'}`)),
    )
    const { process, ended } = desk.start(['import', 'customers', file])
    process.stderr?.destroy()
    const { code, stdout } = await ended
    assert.equal(code, 1)
    assert.match(stdout, /^inserted 50, updated 0, unchanged 0, rejected 50 /)
  })

  test('refuses the files of the database, however they are spelled', async () => {
    await using desk = openReadyDesk()
    await filled(desk)
    symlinkSync(desk.database, desk.path('link.csv'))
    linkSync(desk.database, desk.path('second-name.csv'))
    symlinkSync(desk.path('.'), desk.path('here'))
    for (const [file, said] of [
      [desk.database, 'is the database itself'],
      [`${desk.path('.')}/./${basename(desk.database)}`, 'is the database itself'],
      [desk.path('link.csv'), 'is the database itself'],
      [desk.path('second-name.csv'), 'is the database itself'],
      [`${desk.path('here')}/${basename(desk.database)}`, 'is the database itself'],
      [`${desk.database}-wal`, 'belongs to the database'],
      [`${desk.path('here')}/${basename(desk.database)}-shm`, 'belongs to the database'],
      [`${desk.database}-journal`, 'belongs to the database'],
    ] as const) {
      const { code, stderr } = await desk.run(['export', 'customers', '--force', '--format', 'csv', file])
      assert.deepEqual([code, stderr], [1, `dealdesk: ${file} ${said}\n`])
    }
    symlinkSync(desk.database, desk.path('c.csv.partial'))
    // What is not finished yet has a name that nobody else uses.
    assert.equal((await desk.run(['export', 'customers', desk.path('c.csv')])).code, 0)
    assert.equal(desk.customers().length, tricky.length)
  })
})

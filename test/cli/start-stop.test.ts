import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readSettings } from '../../src/config.ts'
import { openStore } from '../../src/store/open.ts'
import { UnusableDatabase } from '../../src/store/port/opening.ts'
import { performAlone } from '../../src/store/port/store.ts'
import { intentTo } from '../support/deals/intents.ts'
import type { HostedEnd } from '../support/service/command-host.ts'
import { runHosted } from '../support/service/hosted-command.ts'
import { openSocket, readAnswer } from '../support/service/raw-socket.ts'
import { type Ended, inherited, spawnService, temporaryFolder } from '../support/service/service-process.ts'
import { unhurried } from '../support/service/unhurried.ts'

const folder = temporaryFolder('start')
after(() => folder.remove())

/** Values that a setting cannot take. */
const unusable: { readonly [setting: string]: readonly string[] } = {
  HOST: ['not a host', 'a/b', '127.0.0.1,::1', '[::1', '[localhost]'],
  PORT: ['one\ntwo', '65536', '-1', '80a', '0x50', '1e3', '99999999'],
  DATABASE_URL: [
    'mysql://localhost/deals',
    'file:///tmp/deals.db',
    'POSTGRES+x://localhost',
    'postgres://localhost:port/x',
    ':memory:',
    'file:deals.db',
    'sqlite:deals.db',
  ],
  LOG_LEVEL: ['loud', 'INFO'],
  BASE_URL: [
    'deals.example.com',
    'ftp://deals.example.com',
    'https://deals.example.com/?x=1',
    'https://deals.example.com/#x',
    'https://deals.example.com/?',
    'https://deals.example.com/#',
    'https://mila:secret@deals.example.com',
    'https://:secret@deals.example.com',
    '/deals',
  ],
  CORS_ORIGINS: ['https://app.example.com/path', '*', 'app.example.com', 'https://app.example.com,,'],
  TRUST_PROXY: ['0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0', 'everybody', '10.0.0.1,'],
  RATE_LIMIT: ['0/min', '10', '10/day', '-1/s'],
  MAX_IN_FLIGHT: ['0', '1.5', 'many'],
  MAX_LOOP_DELAY: ['0', '-1'],
  WEBHOOK_ALLOW_PRIVATE: ['yes'],
  CURRENCY: ['EURO', 'eur', 'XXX'],
  REQUIRE_IF_MATCH: ['yes', '1', 'TRUE'],
  OIDC_ISSUER: ['login.example.com', 'http://login.example.com', 'https://login.example.com/?x=1'],
  OIDC_ROLE_MAP: ['sales', 'sales=Big Boss', 'sales=editor,', '=editor'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://localhost:4317'],
  OTEL_TRACES_SAMPLER_ARG: ['2', '-1', 'all'],
  KEEP_EVENTS: ['400', '0d', '1.5d', 'forever', '12h'],
  KEEP_COMMANDS: ['-1d'],
  KEEP_DELIVERIES: ['7 days'],
  DEPRECATED_VERSIONS: [
    'v1',
    'v1@2026-12-01',
    'v1@2026-02-30..2027-06-30',
    'v1@2027-06-30..2026-12-01',
    'v1@2026-12-01..2027-06-30,',
    'v2@2026-12-01..2027-06-30',
  ],
}

let files = 0
/** A place for a database, in a folder of its own. */
function newFile(): string {
  const file = join(folder.path, `${++files}`, 'dealdesk.db')
  mkdirSync(join(file, '..'))
  return file
}

type Environment = Readonly<Record<string, string>>

/** A start that ends by itself, in the process of all commands. What the log has is not seen. */
const failedStart = (settings: Environment): Promise<HostedEnd> =>
  runHosted({
    args: [],
    environment: { ...inherited(), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...unhurried, ...settings },
    folder: folder.path,
  })

describe('starting', { concurrency: 2 }, () => {
  test('it prints one line with its address, which names a database that is made anew, and leaves one file', async () => {
    const cwd = join(folder.path, 'usual')
    mkdirSync(cwd)
    // Only the folder of the usual database is made, and an IPv6 address is printed so that it can be opened.
    const service = spawnService({ HOST: '::1' }, { cwd })
    const url = await service.ready
    assert.match(url, /^http:\/\/\[::1\]:[1-9]\d+$/)
    assert.equal((await fetch(`${url}/health/live`)).status, 200)
    assert.equal((await fetch(`${url}/health/ready`)).status, 200)
    service.process.kill('SIGTERM')
    const { code, stdout } = await service.ended
    assert.deepEqual([code, stdout], [0, `Dealdesk is ready at ${url} (new database data/dealdesk.db)\n`])
    assert.deepEqual(readdirSync(cwd, { recursive: true }), ['data', 'data/dealdesk.db'])
  })

  test('a folder that is misspelt is not made', async () => {
    const misspelt = join(folder.path, 'dtaa', 'dealdesk.db')
    const line = oneLineOf(await failedStart({ DATABASE_URL: misspelt }))
    assert.equal(line, `dealdesk: the folder ${join(misspelt, '..')} does not exist; make it first\n`)
    assert.ok(!existsSync(join(misspelt, '..')))
  })

  // One that has a line break in it, and one that is read by another part than the others.
  for (const [setting, start] of [
    ['PORT', (settings: Environment) => spawnService(settings).ended],
    ['DATABASE_URL', failedStart],
  ] as const) {
    test(`a bad ${setting} stops the start with one line that names it`, async () => {
      const ended = await start({ DATABASE_URL: newFile(), [setting]: unusable[setting]?.[0] ?? '' })
      assert.match(oneLineOf(ended), new RegExp(`\\b${setting}=`))
    })
  }

  test('commands that would be kept longer than events stop the start', () => {
    const keep = { KEEP_EVENTS: '30d', KEEP_COMMANDS: '31d' }
    const message = /KEEP_COMMANDS must not be longer than KEEP_EVENTS/
    assert.throws(() => readSettings(keep), { name: 'BadSetting', message })
    assert.equal(readSettings({ KEEP_EVENTS: '30d' }).keep.commands, 30 * 86_400_000)
  })

  test('every value that cannot be used is named in the same way', () => {
    for (const [setting, values] of Object.entries(unusable)) {
      for (const value of values) {
        const message = new RegExp(`^${setting}=.* is not usable: expected `, 's')
        assert.throws(() => readSettings({ [setting]: value }), { name: 'BadSetting', message }, `${setting}=${value}`)
      }
    }
  })

  test('an unknown setting of ours does not exist, and an empty one is none', () => {
    const settings = readSettings({ PORT: ' ', HOST: '', CURRENCY: ' CHF ' })
    assert.deepEqual([settings.port, settings.host, settings.currency], [8080, '127.0.0.1', 'CHF'])
  })

  test('an IPv6 address may stand in brackets, and a path may have a drive', () => {
    const path = String.raw`C:\deals\dealdesk.db`
    const { host, databaseUrl, baseUrl } = readSettings({
      HOST: '[::1]',
      DATABASE_URL: path,
      BASE_URL: 'https://deals.example.com/desk/',
    })
    assert.deepEqual([host, databaseUrl, baseUrl], ['::1', path, 'https://deals.example.com/desk'])
  })

  for (const host of ['no-such-host.invalid', '192.0.2.1']) {
    test(`an address that is not this machine's stops the start: ${host}`, async () => {
      const ended = await failedStart({ DATABASE_URL: newFile(), HOST: host })
      assert.match(oneLineOf(ended), new RegExp(`HOST=${host} `))
    })
  }

  test('an address that nobody can listen at stops the start with one line', async () => {
    // A link-local address says nothing without its network.
    const settings = { DATABASE_URL: newFile(), HOST: 'fe80::1', SET_UP: 'true', LOG_LEVEL: 'error' }
    const ended = await spawnService(settings).ended
    assert.match(oneLineOf(ended), /^dealdesk: HOST=fe80::1 PORT=\d+ (?:cannot be used: \w+|is not an address)/)
  })

  test('a port that is in use is named, and no database is made', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const file = newFile()
    const ended = await failedStart({ DATABASE_URL: file, PORT: String(port) })
    assert.equal(oneLineOf(ended), `dealdesk: HOST=127.0.0.1 PORT=${port} is in use by another program\n`)
    assert.ok(!existsSync(file))
    other.close()
  })
})

// Most of these wait, and may do so side by side.
describe('a database that cannot be served from', { concurrency: 4 }, () => {
  /** What the whole service says. */
  const byService = async (file: string): Promise<string> => oneLineOf(await failedStart({ DATABASE_URL: file }))
  /** What the service writes into its line. */
  const byStore = async (file: string): Promise<string> => {
    const cause = await openStore({ databaseUrl: file, currency: 'EUR' }, (fatal) => assert.fail(fatal)).then(
      () => assert.fail('it was opened'),
      (refusal) => refusal,
    )
    assert.ok(cause instanceof UnusableDatabase, cause)
    return cause.message
  }
  const refused = async (file: string, says: RegExp, by = byStore): Promise<void> => {
    const line = await by(file)
    assert.match(line, says)
    assert.ok(line.includes(file), line)
  }
  /** Whatever is wrong with a file, it is left as it was, and nothing beside it. */
  const untouched = async (file: string, says: RegExp, by = byStore): Promise<void> => {
    const before = fingerprint(file)
    await refused(file, says, by)
    assert.deepEqual(fingerprint(file), before)
  }

  test('a database that another program has locked', async () => {
    const file = await served()
    const other = new DatabaseSync(file)
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    try {
      await refused(file, /is locked by another program/, byService)
    } finally {
      other.exec('ROLLBACK')
      other.close()
    }
  })

  test('below a file there is no folder', async () => {
    const plain = join(folder.path, 'plain')
    writeFileSync(plain, 'x')
    const line = oneLineOf(await failedStart({ DATABASE_URL: join(plain, 'dealdesk.db') }))
    assert.match(line, /plain is not a folder/)
    assert.equal(readFileSync(plain, 'utf8'), 'x')
  })

  test('a folder in which no file can be made', async () => {
    await refused('/proc/dealdesk.db', /cannot be (opened|written)/)
  })

  test('a folder is no file', async () => {
    const path = join(folder.path, 'a-folder.db')
    mkdirSync(path)
    await refused(path, /is a folder/)
    assert.deepEqual(readdirSync(path), [])
  })

  test('a pipe or a device is no file, and keeps its mode', async () => {
    const path = join(folder.path, 'a-pipe.db')
    execFileSync('mkfifo', ['-m', '666', path])
    await refused(path, /a-pipe\.db is a device or a pipe; name a file/)
    assert.equal(statSync(path).mode & 0o777, 0o666)
  })

  test('a text file', () => untouched(written('A shopping list.\n'.repeat(200)), /is not a database file/, byService))

  test('a short text file', () => untouched(written('x'), /is not a database file/))

  test('a database of another program', async () => {
    const file = newFile()
    inDatabase(file, "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('x')")
    await untouched(file, /is a database of another program/)
  })

  test('a database that another program marked as its own', async () => {
    const file = newFile()
    inDatabase(file, 'PRAGMA application_id = 7; VACUUM')
    await untouched(file, /is a database of another program/)
  })

  test('a database of a newer release', async () => {
    const file = await served()
    inDatabase(file, 'PRAGMA user_version = 999')
    await untouched(file, /was written by a newer release \(schema 999, this one knows \d+\)/)
  })

  test('a database of a newer release that was not closed', async () => {
    const newer = await served()
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA user_version = 999')
    const file = newFile()
    for (const end of ['', '-wal']) copyFileSync(newer + end, file + end)
    db.close()
    await untouched(file, /was written by a newer release/)
  })

  test('a database whose schema is damaged', async () => {
    const file = await served()
    damage(file, 100, 4000)
    await untouched(file, /is damaged; restore it from a backup/)
  })

  test('a database that was cut off', async () => {
    const file = await served()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length / 2))
    await untouched(file, /is damaged; restore it from a backup/)
  })

  test('a database whose header is damaged', async () => {
    const file = await served()
    damage(file, 0, 16)
    await untouched(file, /is not a database file/)
  })
})

describe('stopping', { concurrency: 4 }, () => {
  test('SIGINT: a request that never ends does not keep it from ending in time, and an upload is told to come again', async () => {
    const file = newFile()
    const service = spawnService({ DATABASE_URL: file })
    const url = new URL(await service.ready)
    await sendHalf(url, '{"name":"Roof","price":1}')
    const upload = await openSocket(url)
    const type = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n'
    upload.write(`POST /imports?on=deal HTTP/1.1\r\nHost: localhost\r\n${type}\r\n--x\r\n`)
    service.process.kill('SIGINT')
    const { status, headers } = await readAnswer(upload)
    assert.deepEqual([status, headers['retry-after']], [503, '1'])
    const { code, stderr } = await service.ended
    // After the longest time that it may take it would end with 1.
    assert.equal(code, 0, stderr)
    assert.ok(!existsSync(`${file}-wal`), 'the store was not closed')
  })

  test('SIGTERM lets requests in flight finish, connections without one go, and ends with 0', async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await stopsInOrder()
      } catch (cause) {
        // This process stood still while the service went through the seconds of its stop: it has seen nothing of them.
        if (!(cause instanceof NotAnswered) || tries === 5) throw cause
      }
    }
  })

  test('a signal while it starts ends it at once, and the database can be served from', async () => {
    const file = newFile()
    for (const hasBegun of [() => true, () => existsSync(file)]) {
      const service = spawnService({ DATABASE_URL: file })
      await once(service.process, 'spawn')
      while (!hasBegun() && service.process.exitCode === null) await pause(1)
      service.process.kill('SIGTERM')
      const { code, signal, stderr } = await service.ended
      assert.ok(code === 0 || signal === 'SIGTERM', stderr)
    }
    const store = await openStore({ databaseUrl: file, currency: 'EUR' }, (cause) => assert.fail(cause))
    const made = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
    await store.close()
    assert.equal(made.kind, 'applied')
  })
})

async function stopsInOrder(): Promise<void> {
  const service = spawnService({ DATABASE_URL: await served() })
  const address = await service.ready
  assert.match(address, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  const url = new URL(address)
  const kept = await openPatient(url)
  const ask = () => {
    kept.write('GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return answerInTime(kept)
  }
  assert.equal((await ask()).status, 200)
  const idle = await openSocket(url)
  idle.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  assert.equal((await readAnswer(idle)).status, 200)
  const silent = await openSocket(url)
  // A tunnel is refused, and its client stays.
  const tunnel = await openSocket(url)
  tunnel.write('CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\nand more')
  assert.equal((await readAnswer(tunnel)).status, 405)
  const body = JSON.stringify({ name: 'Roof', price: 1 })
  const slow = await sendHalf(url, body)

  service.process.kill('SIGTERM')
  let unready = await ask()
  // Until the signal has reached it.
  while (unready.status === 200) unready = await ask()
  assert.equal(unready.status, 503)
  assert.partialDeepStrictEqual(JSON.parse(unready.body), { code: 'unavailable', missing: 'service' })
  // Once it takes no new connections, each answer ends the one that it comes over.
  while (unready.headers.connection !== 'close') unready = await ask()
  // More signals change nothing.
  service.process.kill('SIGINT')
  service.process.kill('SIGTERM')
  while (!idle.closed) await pause(10)
  slow.write(body.slice(5))
  const answer = await answerInTime(slow)
  assert.deepEqual([answer.status, answer.headers.connection], [201, 'close'])
  const ended = await service.ended
  assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr)
  assert.equal(ended.stdout, `Dealdesk is ready at ${address}\n`, 'a database that was there is not named')
  assert.ok(idle.closed && silent.closed)
}

class NotAnswered extends Error {}

async function answerInTime(socket: Socket): ReturnType<typeof readAnswer> {
  if (socket.destroyed) throw new NotAnswered('the connection has ended')
  return readAnswer(socket).catch((cause: Error) => {
    throw new NotAnswered(cause.message)
  })
}

/** Exit 1 and one line on stderr, nothing else. */
function oneLineOf({ code, stdout, stderr }: Pick<Ended, 'code' | 'stdout' | 'stderr'>): string {
  assert.equal(code, 1, stderr)
  assert.equal(stdout, '')
  assert.match(stderr, /^dealdesk: [^\n]+\n$/)
  return stderr
}

/** A connection whose failure is that of what is read from it next. */
async function openPatient(url: URL): Promise<Socket> {
  return (await openSocket(url)).on('error', () => {})
}

/** A request that the service has, and waits for the rest of. */
async function sendHalf(url: URL, body: string): Promise<Socket> {
  const socket = await openPatient(url)
  const head = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${body.length}`]
  socket.write(['POST /rest/v1/deals HTTP/1.1', ...head, 'Expect: 100-continue', '\r\n'].join('\r\n'))
  const [chunk] = await once(socket, 'data')
  assert.match(String(chunk), / 100 /)
  socket.write(body.slice(0, 5))
  return socket
}

let first: Promise<string> | undefined
/** A database that the service has made and closed: a copy of one. */
async function served(): Promise<string> {
  first ??= makeServed()
  const file = newFile()
  copyFileSync(await first, file)
  return file
}

async function makeServed(): Promise<string> {
  const file = newFile()
  const store = await openStore({ databaseUrl: file, currency: 'EUR' }, (cause) => assert.fail(cause))
  await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
  await store.close()
  return file
}

function written(text: string): string {
  const file = newFile()
  writeFileSync(file, text)
  return file
}

function inDatabase(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

function damage(file: string, from: number, to: number): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, from, to)
  writeFileSync(file, bytes)
}

/** The name and content of everything in the file's folder, but for the index of the log, which holds nothing. */
function fingerprint(file: string): readonly (readonly [string, string])[] {
  const path = join(file, '..')
  return readdirSync(path)
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex'),
    ])
}

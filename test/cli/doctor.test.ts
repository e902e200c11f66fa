import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { suite, test } from 'node:test'
import { DEFAULT_DATABASE, settingNames } from '../../src/config.ts'
import { migrations as postgres } from '../../src/store/postgres/schema/migrations.ts'
import { migrations as sqlite } from '../../src/store/sqlite/schema/migrations.ts'
import { ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { type Desk, lines, openDesk, withTables } from '../support/service/running-command.ts'
import { runService } from '../support/service/running-service.ts'

/** The state of each check, by what it is about. */
const checks = (stdout: string): { readonly [about: string]: string } =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, state = '', about = ''] = /^(ok|note|fault) +(\w+): ./.exec(line) ?? assert.fail(line)
        return [about, state]
      }),
  )

const fill = (desk: Desk) => withTables(desk).run(['import', 'customers', desk.write('c.csv', lines('name', 'Ann'))])

suite('doctor', { concurrency: 2 }, () => {
  test('finds nothing wrong before the first start, and makes nothing', async () => {
    await using desk = openDesk()
    const { code, stdout, stderr } = await desk.run(['doctor'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(checks(stdout), {
      versions: 'ok',
      settings: 'ok',
      database: 'note',
      disk: 'ok',
      users: 'note',
      address: 'ok',
    })
    assert.match(stdout, /database: .* does not exist/)
    assert.throws(() => desk.rows('SELECT 1'))
  })

  test('makes no folder for the usual database', async () => {
    await using desk = openDesk({ DATABASE_URL: DEFAULT_DATABASE })
    const { code, stdout } = await desk.runAlone(['doctor'])
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^note +database: .* does not exist; the next start makes it$/m)
    assert.equal(existsSync(desk.path(dirname(DEFAULT_DATABASE))), false)
  })

  test('looks at a service that runs', async () => {
    const BASE_URL = 'https://deals.example.com'
    const service = await runService({ BASE_URL })
    const { port } = new URL(service.url)
    await using desk = openDesk({ BASE_URL, DATABASE_URL: service.database.url })
    const { code, stdout } = await desk.run(['doctor', '--env-file', desk.write('settings', `PORT=1\n`)])
    assert.equal(code, 0, stdout)
    assert.partialDeepStrictEqual(checks(stdout), { database: 'ok', schema: 'ok', clock: 'ok', proxy: 'note' })
    await using other = openDesk({ PORT: port, DATABASE_URL: desk.database, BASEURL: 'x', LOG_REQUEST: 'all' })
    const beside = await other.run(['doctor', '--thorough'])
    assert.equal(beside.code, 0, beside.stdout)
    assert.match(beside.stdout, /^ok +service: it runs at 127\.0\.0\.1:\d+ and is ready$/m)
    assert.match(beside.stdout, /^note +settings: BASEURL is not a setting; did you mean BASE_URL\?$/m)
    assert.match(beside.stdout, /^note +settings: LOG_REQUEST is not a setting; did you mean LOG_REQUESTS\?$/m)
  })

  test('names each fault and ends with 1', async () => {
    await using desk = openDesk({ HOST: '0.0.0.0' })
    const faulty = async (about: string, said: RegExp): Promise<void> => {
      const { code, stdout, stderr } = await desk.run(['doctor'])
      assert.deepEqual([code, checks(stdout)[about]], [1, 'fault'], stdout)
      assert.match(stdout, said)
      assert.match(stderr, /^dealdesk: \w+ faults? found\n$/)
    }
    await faulty('users', /HOST=0\.0\.0\.0 can be reached by others/)
    await fill(desk)
    truncateSync(desk.database, 8192)
    for (const end of ['-wal', '-shm']) rmSync(desk.database + end, { force: true })
    await faulty('database', /damaged/)
    writeFileSync(desk.database, 'a shopping list')
    await faulty('database', /is not a database file/)
  })

  test('tells a wrong setting, a folder that is missing and an address that is taken', async (t) => {
    const other = createServer((_request, response) => response.end('hello'))
    t.after(() => other.close())
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const { port } = other.address() as AddressInfo
    for (const [settings, said] of [
      [{ LOG_LEVEL: 'loud' }, /^fault +settings: LOG_LEVEL=loud is not usable/m],
      [{ DATABASE_URL: 'nowhere/x.db' }, /^fault +database: the folder .*nowhere does not exist/m],
      [{ DATABASE_URL: 'loop.db' }, /^fault +database: ELOOP: too many symbolic links/m],
      [{ PORT: String(port) }, /^fault +address: 127\.0\.0\.1:\d+ is in use by another program$/m],
    ] as const) {
      await using desk = openDesk(settings)
      symlinkSync('loop.db', desk.path('loop.db'))
      const { code, stdout } = await desk.run(['doctor'])
      assert.equal(code, 1)
      assert.match(stdout, said)
    }
  })

  test('a file that cannot be looked at is no missing one, whatever the command', async () => {
    // What a folder is for those who may not look into it, and for root too.
    await using desk = openDesk({ DATABASE_URL: 'loop.db' })
    symlinkSync('loop.db', desk.path('loop.db'))
    const file = desk.write('in.csv', 'name\nAnn\n')
    for (const args of [[], ['user', 'list'], ['backup', 'x.db'], ['import', 'customers', file], ['restore', file]]) {
      const { code, stdout, stderr } = await desk.run(args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /^dealdesk: \S*loop\.db cannot be used: ELOOP: [^\n]*\n$/, args.join(' '))
    }
  })
})

suite('doctor, on settings', { concurrency: 2 }, () => {
  test('names all that cannot be used, and what has no effect', async () => {
    await using wrong = openDesk({ KEEP_EVENTS: '400', OTEL_TRACES_SAMPLER_ARG: '2', OTEL_EXPORTER_OTLP_ENDPOINT: 'x' })
    const { code, stdout } = await wrong.run(['doctor'])
    assert.equal(code, 1)
    for (const name of ['KEEP_EVENTS', 'OTEL_TRACES_SAMPLER_ARG', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
      assert.match(stdout, new RegExp(`^fault +settings: ${name}=\\S+ is not usable: expected `, 'm'))
    }
    await using idle = openDesk({ OTEL_SERVICE_NAME: 'desk', OTEL_TRACES_SAMPLER: 'always_on', KEEP_ALL: '1d' })
    const { stdout: notes } = await idle.run(['doctor'])
    assert.match(notes, /^note +settings: OTEL_SERVICE_NAME has no effect without OTEL_EXPORTER_OTLP_ENDPOINT$/m)
    assert.match(notes, /^note +settings: OTEL_TRACES_SAMPLER is not a setting and has no effect$/m)
    assert.match(notes, /^note +settings: KEEP_ALL is not a setting and has no effect$/m)
  })

  test('names what only a start would stop at', async () => {
    for (const [settings, said] of [
      [
        { KEEP_EVENTS: '30d', KEEP_COMMANDS: '31d' },
        /^fault +settings: KEEP_COMMANDS must not be longer than KEEP_EVENTS/m,
      ],
      [{ DOORS: 'rpx' }, /^fault +settings: DOORS names no door rpx/m],
    ] as const) {
      await using desk = openDesk(settings)
      const { code, stdout } = await desk.run(['doctor'])
      assert.equal(code, 1)
      assert.match(stdout, said)
    }
  })
})

for (const [store, open, version, setVersion] of [
  ['SQLite', async () => ownSqlite(), sqlite.length, (to: number) => `PRAGMA user_version = ${to}`],
  ['PostgreSQL', ownPostgres, postgres.length, (to: number) => `UPDATE dealdesk_schema SET version = ${to}`],
] as const) {
  test(`doctor tells pending migrations and a newer schema on ${store}, and changes nothing`, async (t) => {
    const database = await open()
    t.after(() => database.remove())
    await using desk = openDesk({ DATABASE_URL: database.url })
    await fill(desk)
    for (const [found, code, said] of [
      [version, 0, /^ok +schema: version \d+, as this release has it$/m],
      [version - 1, 0, /^note +schema: version \d+; one migration is pending, and made by the next start/m],
      [version + 1, 1, /^fault +(?:schema|database): .* newer release/m],
    ] as const) {
      await database.rows(setVersion(found))
      for (let time = 0; time < 2; time++) {
        const ended = await desk.run(['doctor'])
        assert.match(ended.stdout, said)
        assert.equal(ended.code, code, ended.stdout)
      }
    }
  })
}

test('doctor finds the primary among several hosts, and says who may not create tables', async (t) => {
  const database = await ownPostgres()
  t.after(() => database.remove())
  const at = (user: string): string => {
    const { host, pathname, search, hash } = new URL(database.url)
    return `postgres://${user}@127.0.0.1:1,${host}${pathname}${search}${hash}`
  }
  await using desk = openDesk({ DATABASE_URL: at(new URL(database.url).username) })
  assert.match(
    (await desk.run(['doctor'])).stdout,
    /^ok +database: PostgreSQL [\s\S]*^note +schema: there is none yet/m,
  )
  const guest = `guest_${new URL(database.url).pathname.slice(1)}`
  await database.rows(`CREATE ROLE ${guest} LOGIN`)
  await using closed = openDesk({ DATABASE_URL: at(guest) })
  const { code, stdout } = await closed.run(['doctor'])
  assert.equal(code, 1)
  assert.match(stdout, new RegExp(`^fault +rights: ${guest} may not create tables in public; `, 'm'))
})

suite('a settings file', { concurrency: 2 }, () => {
  test('gives what the environment does not, before or behind the command', async () => {
    await using desk = openDesk({ LOG_LEVEL: '' })
    const file = desk.write(
      'settings',
      lines('# ours', '', "CURRENCY='CHF'", 'export LOG_REQUESTS=all # each', 'PORT=1', 'LOG_LEVEL=loud'),
    )
    const before = await desk.run(['--env-file', file, 'doctor'])
    assert.match(before.stdout, /^ok +settings: .*CURRENCY/m)
    const service = desk.start(['serve', '--env-file', file])
    const [, url] = await service.said(/ready at (\S+)/)
    const body = JSON.stringify({ name: 'Roof', price: 1 })
    const made = await fetch(`${url}/rest/v1/deals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    assert.partialDeepStrictEqual(await made.json(), { currency: 'CHF' })
    await service.said(/"msg":"answered"/)
  })

  test('that cannot be read, or has a bad line, is named', async () => {
    await using desk = openDesk()
    for (const [line, number] of [
      ['PORT', 2],
      ['1PORT=2', 2],
      ['CURRENCY="CHF', 2],
      ['  nonsense here', 2],
    ] as const) {
      const { code, stderr } = await desk.run(['--env-file', desk.write('s', lines('# x', line)), 'user', 'list'])
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`^dealdesk: .*/s, line ${number} is not usable: expected NAME=value`))
    }
    const missing = await desk.runAlone(['--env-file', 'nowhere', 'user', 'list'])
    // Node reads the option too, wherever it stands, and says so itself.
    assert.notEqual(missing.code, 0)
    assert.match(missing.stderr, /^\S+: nowhere: not found\n$/)
  })

  test('knows every setting of docs/settings.md', async () => {
    const table = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
    const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) => cell?.match(/[A-Z_]{4,}/g) ?? [])
    assert.deepEqual([...settingNames()].toSorted(), named.toSorted())
  })
})

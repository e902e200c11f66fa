import assert from 'node:assert/strict'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { settingNames } from '../../src/config.ts'
import { type Desk, lines, openDesk } from '../support/service/running-command.ts'

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

const fill = (desk: Desk) => desk.run(['import', 'customers', desk.write('c.csv', lines('name', 'Ann'))])

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

  test('looks at a service that runs', async () => {
    await using desk = openDesk({ BASE_URL: 'https://deals.example.com' })
    const service = desk.start([])
    const [, port = ''] = await service.said(/ready at \S+:(\d+)/)
    const { code, stdout } = await desk.run(['doctor', '--env-file', desk.write('settings', `PORT=1\n`)])
    assert.equal(code, 0, stdout)
    assert.partialDeepStrictEqual(checks(stdout), { database: 'ok', schema: 'ok', clock: 'ok', proxy: 'note' })
    await using other = openDesk({ PORT: port, DATABASE_URL: desk.database, BASEURL: 'x', LOG_REQUEST: 'all' })
    const beside = await other.run(['doctor', '--thorough'])
    assert.equal(beside.code, 0, beside.stdout)
    assert.match(beside.stdout, /^ok +service: it runs at 127\.0\.0\.1:\d+ and is ready$/m)
    assert.match(beside.stdout, /^note +settings: BASEURL is none; is BASE_URL meant\?$/m)
    assert.match(beside.stdout, /^note +settings: LOG_REQUEST is none; is LOG_REQUESTS meant\?$/m)
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
      [{ PORT: String(port) }, /^fault +address: 127\.0\.0\.1:\d+ is in use by another program$/m],
    ] as const) {
      await using desk = openDesk(settings)
      const { code, stdout } = await desk.run(['doctor'])
      assert.equal(code, 1)
      assert.match(stdout, said)
    }
  })
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
    const missing = await desk.run(['--env-file', 'nowhere', 'user', 'list'])
    // Node reads the option too, wherever it stands, and says so itself.
    assert.notEqual(missing.code, 0)
    assert.match(missing.stderr, /^\S+: nowhere: not found\n$/)
  })

  test('knows every setting of the README', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const table = readme.slice(readme.indexOf('## Settings'))
    const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) => cell?.match(/[A-Z_]{4,}/g) ?? [])
    assert.deepEqual([...settingNames()].toSorted(), named.toSorted())
  })
})

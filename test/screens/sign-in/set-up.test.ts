import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { addKey } from '../../../src/access/as-operator.ts'
import { makeSetUpCode, trySetUpCode } from '../../../src/access/set-up.ts'
import { readSettings } from '../../../src/config.ts'
import { addressesAt } from '../../../src/http/contract/addresses.ts'
import { openLogger } from '../../../src/monitoring/logger.ts'
import { startService } from '../../../src/service/start-service.ts'
import { openStore } from '../../../src/store/open.ts'
import { ownPostgres } from '../../support/database/own-database.ts'
import { unhurried } from '../../support/service/unhurried.ts'

const page = { accept: 'text/html' }

/** A service that waits for its first admin, on an address that others could reach, and what it logs. */
async function runEmpty() {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
  const lines: string[] = []
  // The code is shown at any level.
  const logger = openLogger('error', { write: (line: string) => lines.push(line) })
  const settings = readSettings({
    HOST: '0.0.0.0',
    PORT: '0',
    ...unhurried,
    DATABASE_URL: join(folder, 'd.db'),
    SET_UP: 'true',
  })
  const service = await startService(settings, logger, assert.fail)
  const { port } = new URL(service.url)
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  const setUp = (fields: { readonly [name: string]: string }, headers: { readonly [name: string]: string } = {}) =>
    ask('/set-up', { method: 'POST', body: new URLSearchParams(fields), headers: { ...page, ...headers } })
  return {
    store: service.store,
    ask,
    setUp,
    code: () => String(lines.map((line) => JSON.parse(line) as { code?: string }).find(({ code }) => code)?.code),
    async [Symbol.asyncDispose]() {
      await service.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const first = { name: 'ann', password: 'four words in a row' }

suite('with SET_UP=true and no user', () => {
  test('only health, the style sheet and the set-up answer, until a code from the log made the first admin', async () => {
    await using empty = await runEmpty()
    for (const path of ['/health/live', '/health/ready', '/style.css', '/set-up']) {
      assert.equal((await empty.ask(path)).status, 200, path)
    }
    for (const path of ['/', '/customers', '/openapi.json', '/docs', '/problems', '/sign-in', '/nothing', '/users']) {
      assert.equal((await empty.ask(path)).status, 503, path)
      const led = await empty.ask(path, { headers: page })
      assert.deepEqual([led.status, led.headers.get('location')], [303, '/set-up'], path)
    }
    assert.equal((await empty.ask('/users', { method: 'POST', body: '{}' })).status, 503)
    const elsewhere = { origin: 'https://evil.example' }
    assert.equal((await empty.setUp({ ...first, code: empty.code() }, elsewhere)).status, 403)
    assert.equal((await empty.setUp({ ...first, code: 'wrong' })).status, 403)
    const short = await empty.setUp({ ...first, code: empty.code(), password: 'short' })
    assert.equal(short.status, 422)
    assert.ok((await short.text()).includes(`value="${empty.code()}"`), 'the code stays')
    const done = await empty.setUp({ ...first, code: empty.code() })
    assert.deepEqual([done.status, done.headers.get('location')], [303, '/'])
    const cookie = done.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    // The first page leads on instead of counting nothing.
    const german = { cookie, ...page, 'accept-language': 'de' }
    const home = await (await empty.ask('/', { headers: german })).text()
    for (const [href, text] of [
      [addressesAt('').imports, 'Import'],
      ['/users', 'Personen einladen'],
      ['/new/deals', 'Neuer Deal'],
    ] as const)
      assert.ok(home.includes(`<a class="button" href="${href}">${text}</a>`), text)
    assert.match(home, /Erste Schritte[\s\S]*<form class="reporting"/)
    assert.doesNotMatch(home, /class="figures"/)
    for (const path of ['/board', '/rest/v1/deals?status=open', '/customers']) {
      const list = await (await empty.ask(path, { headers: german })).text()
      const [, nothing = ''] = /<div class="empty">(.*?)<\/div>/s.exec(list) ?? []
      assert.equal(nothing.match(/class="button/g)?.length, 1, path)
      assert.match(nothing, /href="\/new\//)
    }
    const me = (await (await empty.ask('/users/me', { headers: { cookie } })).json()) as { name: string; role: string }
    assert.deepEqual([me.name, me.role], ['ann', 'admin'])
    const late = await empty.setUp({ ...first, name: 'eve', code: empty.code() }, { accept: 'application/json' })
    assert.equal(late.status, 404)
    assert.match(await late.text(), /the first user was made/)
    assert.equal((await empty.ask('/set-up')).status, 404)
    assert.equal((await empty.ask('/customers')).status, 401)
  })

  test('a key does not count as one, and keeps its name', async () => {
    await using empty = await runEmpty()
    const made = await addKey(empty.store, { name: 'robot', role: 'admin' })
    const headers = { authorization: `Bearer ${'key' in made ? made.key : ''}` }
    assert.equal((await empty.ask('/set-up')).status, 200)
    assert.equal((await empty.ask('/customers', { headers })).status, 503)
    assert.equal((await empty.setUp({ ...first, name: 'robot', code: empty.code() })).status, 409)
    assert.equal((await empty.setUp({ ...first, code: empty.code() })).status, 303)
    assert.equal((await empty.ask('/customers', { headers })).status, 200)
  })

  test('of many who have the code at once, one becomes the admin', async () => {
    await using empty = await runEmpty()
    const tries = ['a', 'b', 'c'].map((name) => empty.setUp({ ...first, name, code: empty.code() }))
    assert.deepEqual((await Promise.all(tries)).map(({ status }) => status).toSorted(), [303, 404, 404])
  })

  test('the code ends after five tries', async () => {
    await using empty = await runEmpty()
    for (let n = 0; n < 5; n++) assert.equal((await empty.setUp({ ...first, code: `${n}` })).status, 403)
    assert.equal((await empty.setUp({ ...first, code: empty.code() })).status, 403)
  })

  test('the code is one for all instances, counts their tries together, and ends after an hour', async () => {
    const database = await ownPostgres('ready')
    const open = () => openStore({ databaseUrl: database.url, currency: 'EUR' }, assert.fail)
    const [one, other] = await Promise.all([open(), open()])
    const now = Date.now()
    const made = await makeSetUpCode(one.accounts, now)
    assert.ok('code' in made)
    assert.ok('since' in (await makeSetUpCode(other.accounts, now)), 'the one there is stays')
    assert.equal(await trySetUpCode(other.accounts, ` ${made.code.toUpperCase()} `), 'right')
    assert.equal(await trySetUpCode(one.accounts, 'wrong'), 'wrong')
    for (const { accounts } of [one, other, one]) await trySetUpCode(accounts, 'wrong')
    assert.equal(await trySetUpCode(other.accounts, made.code), 'ended')
    const later = await makeSetUpCode(other.accounts, now - 3_599_000)
    assert.ok('code' in later, 'the one before has ended')
    assert.ok('since' in (await makeSetUpCode(one.accounts, now)))
    assert.ok('code' in (await makeSetUpCode(one.accounts, now + 3_600_000)))
    await Promise.all([one.close(), other.close()])
    database.remove()
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { addKey } from '../../../src/access/as-operator.ts'
import { judgeLateness, watchLoad } from '../../../src/monitoring/load.ts'
import { basic, bearer, runClosedService } from '../../support/service/closed-service.ts'
import { runService } from '../../support/service/running-service.ts'

suite('RATE_LIMIT', () => {
  test('answers 429 beyond it and tells how things stand', async () => {
    const service = await runService({ RATE_LIMIT: '3/hour' })
    for (const left of [2, 1, 0]) {
      const answer = await service.request('GET', '/customers')
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['ratelimit-policy'], '"default";q=3;w=3600')
      assert.match(String(answer.headers.ratelimit), new RegExp(`^"default";r=${left};t=\\d+$`))
    }
    const refused = await service.request('GET', '/customers')
    assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-requests'])
    assert.match(refused.headers['retry-after'] ?? '', /^1\d\d\d$/)
    assert.equal((await service.request('GET', '/nothing')).status, 429)
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const health = await service.request('GET', path)
      assert.deepEqual([health.status, health.headers.ratelimit], [200, undefined], path)
    }
    const { text } = await service.request('GET', '/metrics')
    assert.match(text, /^dealdesk_request_duration_seconds_count\{method="GET",route="\/customers",outcome="429"\} 1$/m)
    await service.close()
  })

  test('is each user’s own, and for who is none, each address’s', async () => {
    const service = await runClosedService({ RATE_LIMIT: '2/hour', TRUST_PROXY: 'loopback' })
    const statuses = async (headers: { readonly [name: string]: string }) => {
      const all = []
      for (let n = 0; n < 3; n++) all.push((await service.request('GET', '/customers', { headers })).status)
      return all
    }
    assert.deepEqual(await statuses(basic('reader')), [200, 200, 429])
    assert.deepEqual(await statuses(bearer(service.keys.admin)), [200, 200, 429])
    for (const name of ['one', 'two']) {
      const made = await addKey(service.store, { name, role: 'reader', user: 'reader' })
      assert.deepEqual(await statuses(bearer('key' in made ? made.key : '')), [429, 429, 429], 'a key of the reader')
    }
    assert.deepEqual(await statuses({ 'x-forwarded-for': '192.0.2.1' }), [401, 401, 429])
    assert.deepEqual(await statuses({ 'x-forwarded-for': '192.0.2.2' }), [401, 401, 429])
    await service.close()
  })

  test('is off on loopback and on elsewhere', async () => {
    const open = await runClosedService()
    const wide = await runService({ HOST: '0.0.0.0', DATABASE_URL: open.database.url })
    assert.equal((await open.request('GET', '/health/live')).headers['ratelimit-policy'], undefined)
    assert.equal((await open.request('GET', '/problems')).headers['ratelimit-policy'], undefined)
    assert.equal((await wide.request('GET', '/problems')).headers['ratelimit-policy'], '"default";q=6000;w=60')
    // The database goes with the service whose it is.
    await wide.close()
    await open.close()
  })

  test('believes X-Forwarded-For from a trusted proxy only', async () => {
    const service = await runService({ RATE_LIMIT: '1/hour', TRUST_PROXY: '10.0.0.0/8' })
    const from = async (address: string) =>
      (await service.request('GET', '/', { headers: { 'x-forwarded-for': address } })).status
    assert.deepEqual([await from('192.0.2.1'), await from('192.0.2.2')], [200, 429])
    await service.close()
  })
})

suite('wrong credentials', () => {
  test('are answered 429 after twenty from one address, while who is known goes on', async () => {
    const service = await runClosedService()
    const known = { headers: basic('reader') }
    assert.equal((await service.request('GET', '/', known)).status, 200)
    for (let n = 0; n < 20; n++) {
      assert.equal((await service.request('GET', '/', { headers: bearer(`dd_${n}`) })).status, 401)
    }
    const refused = await service.request('GET', '/', { headers: basic('reader', 'a guess') })
    assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-requests'])
    assert.ok(Number(refused.headers['retry-after']) <= 60)
    assert.equal((await service.request('GET', '/', known)).status, 200)
    await service.close()
  })
})

suite('behind a proxy that is trusted', () => {
  /** As nginx and Caddy send it; `claims` is what the client itself sent. */
  const from = (address: string, claims?: string) => ({
    'x-forwarded-for': claims === undefined ? address : `${claims}, ${address}`,
    'x-forwarded-proto': 'https',
    host: 'deals.example.com',
  })

  const operating = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const setting = (name: string): string => new RegExp(`\\b${name}=([^\\s\`]+)`).exec(operating)?.[1] ?? ''
  const recipe = readFileSync(new URL('../../../deploy/proxy/nginx.conf', import.meta.url), 'utf8')

  /** What nginx sends with the recipe for a client at an address, whatever that claims. */
  function sentBy(address: string, claims: string): { readonly [name: string]: string } {
    const variables: { readonly [name: string]: string } = {
      $host: 'deals.example.com',
      $scheme: 'https',
      $remote_addr: address,
      $proxy_add_x_forwarded_for: `${claims}, ${address}`,
    }
    const set = [...recipe.matchAll(/^\s*proxy_set_header (\S+) (\$\w+);/gm)]
    return {
      'x-forwarded-for': claims,
      ...Object.fromEntries(set.map(([, name = '', value = '']) => [name.toLowerCase(), variables[value] ?? ''])),
    }
  }

  test('one person’s wrong passwords lock out nobody else with the recipe for nginx', async () => {
    const service = await runClosedService({
      TRUST_PROXY: setting('TRUST_PROXY'),
      BASE_URL: setting('BASE_URL'),
    })
    const ask = async (address: string, credential = basic('reader'), claims = '192.0.2.77') =>
      (await service.request('GET', '/', { headers: { ...sentBy(address, claims), ...credential } })).status
    assert.equal(await ask('192.0.2.1', basic('reader', 'a guess')), 401)
    // Also where the client claims to be another each time.
    for (let n = 1; n < 20; n++) assert.equal(await ask('192.0.2.1', bearer(`dd_${n}`), `192.0.2.${n + 1}`), 401)
    assert.equal(await ask('192.0.2.1', basic('reader', 'one more guess')), 429)
    assert.equal(await ask('192.0.2.1'), 429)
    assert.equal(await ask('192.0.2.2'), 200)
    await service.close()
  })

  test('one person’s wrong passwords lock out nobody else', async () => {
    const service = await runClosedService({ TRUST_PROXY: '127.0.0.1', BASE_URL: 'https://deals.example.com' })
    const ask = async (address: string, credential = basic('reader'), claims?: string) =>
      (await service.request('GET', '/', { headers: { ...from(address, claims), ...credential } })).status
    assert.equal(await ask('192.0.2.1', basic('reader', 'a guess')), 401)
    // Also where the client claims to be another each time.
    for (let n = 1; n < 20; n++) assert.equal(await ask('192.0.2.1', bearer(`dd_${n}`), `192.0.2.${n + 1}`), 401)
    assert.equal(await ask('192.0.2.1', basic('reader', 'one more guess')), 429)
    assert.equal(await ask('192.0.2.1'), 429)
    assert.equal(await ask('192.0.2.2'), 200)
    await service.close()
  })

  test('one that is not trusted is itself the person', async () => {
    const service = await runClosedService({ TRUST_PROXY: '192.0.2.99' })
    const ask = async (address: string, credential = basic('reader')) =>
      (await service.request('GET', '/', { headers: { ...from(address), ...credential } })).status
    for (let n = 0; n < 20; n++) assert.equal(await ask(`192.0.2.${n}`, bearer(`dd_${n}`)), 401)
    assert.equal(await ask('192.0.2.50'), 429)
    await service.close()
  })
})

suite('overload', () => {
  const OVERLOAD = 'refused_total{reason="overload"}'

  test('is answered 503 at once, health and what pages load go on, and it passes by itself', async () => {
    const service = await runService({ MAX_IN_FLIGHT: '1' })
    const lock = new DatabaseSync(service.database.url)
    lock.exec('BEGIN IMMEDIATE')
    const create = () => service.request('POST', '/rest/v1/deals', { body: { name: 'A deal', price: 1 } })
    const metric = async (name: string) => {
      const { text } = await service.request('GET', '/metrics')
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`dealdesk_requests_${name} `))
          ?.split(' ')[1],
      )
    }
    let waiting = create()
    while ((await metric('in_flight')) !== 2) {
      // A request that comes while the metrics are read is refused itself: another one waits.
      const answer = await Promise.race([waiting, setTimeout(10)])
      if (answer !== undefined) waiting = create()
    }
    const refusedBefore = await metric(OVERLOAD)
    for (const refused of [await create(), await service.request('GET', '/')]) {
      assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
      assert.equal(refused.headers['retry-after'], '1')
    }
    for (const path of ['/health/live', '/health/ready', '/style.css', '/app.js']) {
      assert.equal((await service.request('GET', path)).status, 200, path)
    }
    assert.equal(await metric(OVERLOAD), refusedBefore + 2)
    lock.exec('ROLLBACK')
    lock.close()
    assert.equal((await waiting).status, 201)
    assert.equal((await create()).status, 201)
    await service.close()
  })

  test('is a loop that is late again and again, not one that was late once', () => {
    const isOver = judgeLateness(500)
    const samples = [
      [900, 0, false],
      [0, 250, false],
      [600, 500, true],
      [700, 1200, true],
      [10, 1500, false],
      [900, 9000, false],
      [8000, 25_000, true],
    ] as const
    for (const [mean, now, expected] of samples) assert.equal(isOver(mean, now), expected, `at ${now} ms`)
  })

  // Once within a sample of the delay, and once longer than it.
  for (const blocked of [100, 300]) {
    test(`is seen by how late the event loop is, and so is its end: ${blocked} ms`, async () => {
      // Above what a busy machine does to a loop that rests.
      const load = watchLoad({ maxInFlight: 1000, maxLoopDelay: 60 })
      while (!load.isOver()) {
        // The thread rests, and its loop with it.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked)
        await new Promise(setImmediate)
      }
      while (load.isOver()) await setTimeout(50)
      load.close()
    })
  }
})

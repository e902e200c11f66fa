import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { BadSetting, readSettings } from '../../src/config.ts'
import { openLogger } from '../../src/monitoring/logger.ts'
import { startService } from '../../src/service/start-service.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { basic, bearer } from '../support/service/closed-service.ts'
import { quickHash } from '../support/service/quick-hash.ts'
import { openSocket, readAnswer } from '../support/service/raw-socket.ts'
import { spawnService } from '../support/service/service-process.ts'
import { unhurried } from '../support/service/unhurried.ts'
import { putUser } from '../support/things/audited.ts'
import { answering, runReceiver } from '../support/webhooks/receiver.ts'

async function logging(environment: { readonly [name: string]: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
  const lines: string[] = []
  const logger = openLogger('info', { write: (line: string) => lines.push(line) })
  const settings = readSettings({ PORT: '0', DATABASE_URL: join(folder, 'd.db'), ...unhurried, ...environment })
  const service = await startService(settings, logger, assert.fail)
  const close = async (): Promise<void> => {
    await service.close()
    rmSync(folder, { recursive: true })
  }
  return { lines, service, close }
}

// Each has a process of its own.
const processTest = everySecond(test)

suite('the log', () => {
  test('names a request as its problem does, and holds no secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
    const lines: string[] = []
    const logger = openLogger('trace', { write: (line: string) => lines.push(line) })
    const settings = readSettings({ PORT: '0', DATABASE_URL: join(folder, 'd.db'), ...unhurried, LOG_REQUESTS: 'all' })
    const service = await startService(settings, logger, assert.fail)
    const password = 'a very secret password'
    await putUser(service.store, { name: 'ann', role: 'reader', hash: quickHash(password) })
    const ask = async (path: string, headers: { readonly [name: string]: string }) => {
      const asking = request(`${service.url}${path}`, { headers: { ...headers, cookie: 'a secret cookie' } }).end()
      const [answer] = await once(asking, 'response')
      return JSON.parse(await text(answer)) as { readonly instance?: string }
    }
    await ask('/', basic('ann', password))
    await ask('/customers?name=Jane%20Doe&api_key=a-secret-key', basic('ann', password))
    await ask('/customers?%70assword=a-secret-1&name%=a-secret-2', basic('ann', password))
    await ask('/graphql?query=%7Ba-secret-3%7D&variables=a-secret-4&x=1', basic('ann', password))
    await ask('/', basic('ann', 'a wrong secret'))
    await ask('/', bearer('dd_a-secret-key'))
    await ask('/sign-in/callback?code=a-secret-code&state=a-secret-state', basic('ann', password))
    await ask('/invitations/a-secret-token', basic('ann', password))
    await ask('/%69nvitations/a-secret-token', basic('ann', password))
    await ask('/calendar/a-secret-calendar.icx', basic('ann', password))
    const problem = await ask('/nothing', basic('ann', password))
    await service.close()
    rmSync(folder, { recursive: true })

    const log = lines.join('')
    const entries = lines.map((line) => JSON.parse(line) as { readonly [name: string]: unknown })
    const id = problem.instance?.split(':').at(-1)
    const entry = entries.find((each) => each.id === id && each.status !== undefined)
    assert.deepEqual([entry?.method, entry?.path, entry?.status, entry?.actor], ['GET', '/nothing', 404, 'ann'])
    const asked = entries.find(({ query }) => query !== undefined)
    assert.deepEqual([asked?.path, asked?.query], ['/customers', 'name=Jane%20Doe&api_key=…'])
    assert.ok(entries.some(({ query }) => query === '%70assword=…&name%=…'))
    assert.ok(entries.some(({ query }) => query === 'query=…&variables=…&x=1'))
    assert.ok(entries.every(({ level }) => typeof level === 'string'))
    assert.ok(entries.some(({ msg }) => msg === 'a credential was refused'))
    for (const secret of [
      password,
      'wrong secret',
      'dd_a-secret-key',
      'a-secret',
      'secret cookie',
      'Basic ',
      'argon2',
    ]) {
      assert.ok(!log.includes(secret), secret)
    }
    assert.ok(!log.includes(basic('ann', password).authorization.slice(6)))
  })

  for (const [mode, expected] of [
    ['problems', ['unmatched 505']],
    ['writes', ['POST /customers 422', 'unmatched 505']],
    [
      'all',
      [
        'GET /events 200',
        'GET /customers 200',
        'POST /customers 422',
        'unmatched 404',
        'unmatched 400',
        'unmatched 505',
      ],
    ],
  ] as const) {
    test(`has a line for each request that LOG_REQUESTS=${mode} names, whole`, async () => {
      const { lines, service, close } = await logging({ LOG_REQUESTS: mode })
      const live = await fetch(`${service.url}/events`, { headers: { accept: 'text/event-stream' } })
      await live.body?.cancel()
      const list = await fetch(`${service.url}/customers`)
      const length = (await list.arrayBuffer()).byteLength
      await (await fetch(`${service.url}/customers`, { method: 'POST' })).arrayBuffer()
      await (await fetch(`${service.url}/nothing`)).arrayBuffer()
      await (await fetch(`${service.url}/%zz`)).arrayBuffer()
      const socket = await openSocket(new URL(service.url))
      socket.write('GET / HTTP/3.0\r\nHost: localhost\r\n\r\n')
      const { headers } = await readAnswer(socket)
      await close()
      const entries = lines.map((line) => JSON.parse(line) as { readonly [name: string]: unknown })
      const answered = entries.filter(({ msg }) => msg === 'answered')
      const shown = answered.map(({ method, route, status, duration }) => ({
        request: `${route === 'unmatched' ? '' : `${method} `}${route} ${status}`,
        isSlow: Number(duration) > 1000,
      }))
      // What took over a second, as anything may on a busy machine, has a line in every mode.
      const asAsked = shown.filter(({ request, isSlow }) => !isSlow || expected.some((each) => each === request))
      assert.deepEqual(asAsked.map(({ request }) => request).toSorted(), expected.toSorted())
      for (const entry of answered) {
        assert.deepEqual(
          ['id', 'method', 'route', 'status', 'duration', 'actor', 'bytes'].filter((name) => !(name in entry)),
          [],
        )
        if (entry.status !== 505) assert.deepEqual([entry.client, entry.agent], ['127.0.0.1', 'node'])
        assert.ok(Number(entry.duration) >= 0 && Number(entry.bytes) > 0, JSON.stringify(entry))
      }
      assert.equal(answered.find(({ status }) => status === 505)?.id, headers['request-id'])
      if (mode === 'all') assert.equal(answered.find(({ route }) => route === '/customers')?.bytes, length)
    })
  }

  test('has a line for a request whose client did not wait for the answer', async (t) => {
    const { lines, service, close } = await logging({ LOG_REQUESTS: 'writes', WEBHOOK_ALLOW_PRIVATE: 'true' })
    const receiver = await runReceiver()
    t.after(() => receiver.close())
    receiver.answer = () => {}
    const headers = { 'content-type': 'application/json' }
    const subscribed = await fetch(`${service.url}/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: receiver.url }),
    })
    const { id } = (await subscribed.json()) as { readonly id: string }
    const leaving = new AbortController()
    const { signal } = leaving
    const test = fetch(`${service.url}/webhooks/${id}/tests`, { method: 'POST', signal }).catch(() => {})
    await receiver.until((received) => received.length === 1)
    leaving.abort()
    await test
    while (lines.length < 2) await pause(5)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(metrics, /_count\{method="POST",route="\/webhooks\/:id\/tests",outcome="4xx"\} 1/)
    await receiver.close()
    await close()
    const shown = lines.map((line) => JSON.parse(line) as { readonly [name: string]: unknown })
    assert.deepEqual(
      shown.map(({ method, route, status }) => `${method} ${route} ${status}`),
      ['POST /webhooks 201', 'POST /webhooks/:id/tests 499'],
    )
  })

  test('has by default what was turned away and what took over a second', async (t) => {
    let ahead = 0
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + ahead)

    const { lines, service, close } = await logging({ RATE_LIMIT: '2/hour' })
    const slow = request(`${service.url}/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', expect: '100-continue' },
    })
    slow.flushHeaders()
    // The service has the request, and the clock goes on before the rest of it comes.
    await once(slow, 'continue')
    ahead = 1001
    slow.end('{}')
    const [answer] = await once(slow, 'response')
    answer.resume()
    for (const _ of [1, 2]) await (await fetch(service.url)).arrayBuffer()
    await close()
    const entries = lines.map((line) => JSON.parse(line) as { readonly [name: string]: unknown })
    assert.deepEqual(
      entries.map(({ level, status }) => `${level} ${status}`),
      ['warn 422', 'warn 429'],
    )
  })

  test('tells of a webhook that is not delivered, once a minute', async (t) => {
    const { lines, service, close } = await logging({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    const receiver = await runReceiver()
    t.after(() => receiver.close())
    receiver.answer = answering(500)
    const headers = { 'content-type': 'application/json' }
    const post = (path: string, content: object) =>
      fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(content) })
    const { id } = (await (await post('/webhooks', { url: receiver.url })).json()) as { readonly id: string }
    for (const name of ['One', 'Two']) await post('/rest/v1/deals/', { name, price: 1 })
    const attempts = async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      return Number(/^dealdesk_webhook_attempts_total\{outcome="failed"\} (\d+)$/m.exec(metrics)?.[1])
    }
    while ((await attempts()) < 2) await pause(20)
    await receiver.close()
    await close()
    const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a webhook was not delivered')
    assert.deepEqual(
      told.map(({ webhook, status, reason }) => [webhook, status, reason]),
      [[id, 500, 'answered 500']],
    )
  })

  processTest('holds nothing up when its reader stalls: lines are lost, and counted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
    const service = spawn(process.execPath, [new URL('../../src/start.js', import.meta.url).pathname], {
      env: { ...process.env, PORT: '0', DATABASE_URL: join(folder, 'd.db'), LOG_REQUESTS: 'all', ...unhurried },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [ready] = await once(service.stdout, 'data')
    const [, url = ''] = /at (\S+)/.exec(String(ready)) ?? []
    const lost = async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(/^dealdesk_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])
    }
    // Nobody reads standard error: first its pipe is full, then what the service keeps.
    while ((await lost()) < 10) {
      const asked = Array.from({ length: 50 }, () => fetch(`${url}/health/live?${'x'.repeat(400)}`))
      for (const answer of await Promise.all(asked)) await answer.arrayBuffer()
    }
    let text = ''
    service.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    while (!text.includes('log lines were lost')) await (await fetch(`${url}/health/live`)).arrayBuffer()
    service.kill('SIGTERM')
    const [code] = await once(service, 'close')
    assert.equal(code, 0)
    for (const line of text.trim().split('\n')) JSON.parse(line)
    rmSync(folder, { recursive: true })
  })

  processTest('tells all requests from one signal to the next', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
    const service = spawnService({ DATABASE_URL: join(folder, 'd.db'), LOG_LEVEL: 'info', OTEL_TRACES_SAMPLER: 'x' })
    const url = await service.ready
    const said = async (text: string, count: number) => {
      while (service.told().split(text).length <= count) await pause(10)
    }
    const ask = (path: string) => fetch(url + path).then((answer) => answer.arrayBuffer())
    await ask('/customers?maxpagesize=1')
    service.process.kill('SIGUSR2')
    await said('"requests":"all"', 1)
    await ask('/customers?maxpagesize=2')
    await said('maxpagesize=2', 1)
    service.process.kill('SIGUSR2')
    await said('"requests":"problems"', 1)
    await ask('/customers?maxpagesize=3')
    service.process.kill('SIGTERM')
    const { stderr } = await service.ended
    // What took over a second is told in any case, and on a busy machine any may.
    const others = stderr
      .split('\n')
      .filter((line) => /maxpagesize=[13]/.test(line) && !line.includes('"level":"warn"'))
    assert.deepEqual(others, [])
    assert.match(stderr, /"settings":\["OTEL_TRACES_SAMPLER"\]/)
    rmSync(folder, { recursive: true })
  })

  processTest(
    'has its last lines when the process ends while they wait for the reader',
    { timeout: 300_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
      const monitoring = new URL('../../src/monitoring/', import.meta.url)
      const script = `
      import { writeFileSync } from 'node:fs'
      import { openLogger } from '${monitoring}logger.ts'
      import { lastLines } from '${monitoring}log-lines.ts'
      const log = openLogger('info')
      for (let lines = 0; lines < 70; lines++) log.info('x'.repeat(1000))
      log.fatal('the last line')
      writeFileSync('${folder}/written', '')
      await lastLines(300_000)
      process.exit(1)`
      // Its pipe holds 64 KiB, and is read only when everything was written.
      const read = `mkfifo "$2/written"; "$0" --input-type=module-typescript --eval "$1" 2>&1 | { cat "$2/written"; cat; }`
      const { stdout } = spawn('sh', ['-c', read, process.execPath, script, folder], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      assert.match(await text(stdout), /the last line[^\n]*\n$/)
      rmSync(folder, { recursive: true })
    },
  )

  processTest(
    'stops nothing when it is on a full disk',
    { skip: !existsSync('/dev/full') && 'there is no full disk' },
    () => {
      const logger = new URL('../../src/monitoring/logger.ts', import.meta.url)
      const script = `
      import { setImmediate as turn } from 'node:timers/promises'
      import { openLogger } from '${logger}'
      const log = openLogger('info')
      for (let lines = 0; lines < 1000; lines++) log.info('a line')
      await turn()
      log.fatal('the last line')
      process.stdout.write('went on')`
      const full = openSync('/dev/full', 'w')
      const args = ['--input-type=module-typescript', '--eval', script]
      const { status, stdout } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', full] })
      closeSync(full)
      assert.deepEqual([status, String(stdout)], [0, 'went on'])
    },
  )

  test('writes no secret that it is given, wherever it stands', () => {
    const lines: string[] = []
    const logger = openLogger('info', { write: (line: string) => lines.push(line) })
    const secret = 'hunter2'
    logger.info(
      { password: secret, req: { headers: { authorization: secret } }, webhook: { secret }, key: secret },
      'x',
    )
    assert.ok(!lines.join('').includes(secret))
    assert.ok(lines.join('').includes('[secret]'))
  })
})

suite('a bad setting', () => {
  test('is told without the password in it', () => {
    assert.throws(
      () => readSettings({ DATABASE_URL: 'mysql://ann:hunter/2@db/deals' }),
      (cause: Error) =>
        cause instanceof BadSetting && !cause.message.includes('hunter') && cause.message.includes('***'),
    )
    for (const bad of ['api-key=hunter%0a2', 'api-key=hunter%E2%82%AC']) {
      assert.throws(() => readSettings({ OTEL_EXPORTER_OTLP_HEADERS: bad }), {
        name: 'BadSetting',
        message: /^OTEL_EXPORTER_OTLP_HEADERS=\*\*\* is not usable/,
      })
    }
  })
})

suite('limits and proxies that cannot be read', () => {
  test('stop the start with one line', () => {
    for (const [name, value] of [
      ['RATE_LIMIT', '0/min'],
      ['RATE_LIMIT', '10'],
      ['RATE_LIMIT', '10/fortnight'],
      ['RATE_LIMIT', '1.5/s'],
      ['TRUST_PROXY', 'true'],
      ['TRUST_PROXY', '10.0.0.0/33'],
      ['TRUST_PROXY', '10.0.0.1,,'],
      ['MAX_IN_FLIGHT', '0'],
      ['MAX_LOOP_DELAY', '-1'],
    ] as const) {
      assert.throws(
        () => readSettings({ [name]: value }),
        new RegExp(`^BadSetting: ${name}=.* is not usable: expected .+$`),
      )
    }
    assert.deepEqual(readSettings({ RATE_LIMIT: '10/s' }).rateLimit, { quota: 10, seconds: 1 })
    assert.deepEqual(readSettings({ RATE_LIMIT: '1000/hour' }).rateLimit, { quota: 1000, seconds: 3600 })
    assert.equal(readSettings({ RATE_LIMIT: 'off', HOST: '0.0.0.0' }).rateLimit, 'off')
    assert.deepEqual(readSettings({ TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' }).trustProxy, [
      'loopback',
      '10.0.0.0/8',
      '::1',
    ])
  })
})

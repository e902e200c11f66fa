import assert from 'node:assert/strict'
import { on } from 'node:events'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { NoBrowser, useBrowser } from '../../test/support/browser/launch-browser.ts'
import { type PostgresServer, startPostgres } from '../../test/support/database/postgres-server.ts'
import { fileForm } from '../../test/support/service/file-form.ts'
import { type ServiceProcess, spawnService, temporaryFolder } from '../../test/support/service/service-process.ts'
import { freePort, isInstalled, proxies, type RunningProxy, runProxy } from './run-proxy.ts'
import { ask, closeConnections, json, openStream, type Through } from './through.ts'

// Two instances on one PostgreSQL behind the proxies as they are shipped, under everything that goes wrong.

const DEALS = '/rest/v1/deals/'
const CLIENTS = 8

for (const name of proxies) {
  if (!isInstalled(name)) console.log(`${name} is not installed, and is not tried: apt-get install ${name}`)
  suite(`behind ${name}`, { skip: !isInstalled(name) }, () => {
    const folder = temporaryFolder(`proxy-${name}`)
    let database: PostgresServer
    let proxy: RunningProxy
    const instances: { readonly port: number; service: ServiceProcess }[] = []
    const busy: { readonly port: number; service: ServiceProcess }[] = []
    let calm: RunningProxy

    const start = (port: number, more: Readonly<Record<string, string>> = {}): ServiceProcess =>
      spawnService({
        DATABASE_URL: database.url('postgres'),
        PORT: String(port),
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMIT: 'off',
        LOG_REQUESTS: 'all',
        LOG_LEVEL: 'info',
        ...more,
      })
    const restart = async (instance: (typeof instances)[number]): Promise<void> => {
      instance.service = start(instance.port)
      await instance.service.ready
    }
    before(async () => {
      database = await startPostgres()
      const ports = [await freePort(), await freePort()]
      // One after the other: the first makes the tables.
      for (const port of ports) {
        const instance = { port, service: start(port) }
        instances.push(instance)
        await instance.service.ready
      }
      for (let n = 0; n < 2; n++) {
        const port = await freePort()
        const instance = { port, service: start(port, { MAX_IN_FLIGHT: '2', LOG_REQUESTS: 'problems' }) }
        busy.push(instance)
        await instance.service.ready
      }
      proxy = await runProxy(name, join(folder.path, 'quiet'), await freePort(), ports)
      calm = await runProxy(
        name,
        join(folder.path, 'busy'),
        await freePort(),
        busy.map(({ port }) => port),
      )
      await answers(proxy.url)
      await answers(calm.url)
    })
    after(async () => {
      closeConnections()
      await Promise.all([proxy?.close(), calm?.close()])
      for (const { service } of [...instances, ...busy]) service.process.kill('SIGTERM')
      await Promise.all([...instances, ...busy].map(({ service }) => service.ended))
      await database?.remove()
      folder.remove()
    })

    test('events come as they happen, and commands are answered one by one', async () => {
      const events = await openStream('GET', `${proxy.url}/events`, { accept: 'text/event-stream' })
      assert.equal(await events.status(), 200)
      const commands = await openStream('POST', `${proxy.url}/rest/commands`, {
        'content-type': 'application/x-ndjson',
      })
      for (let n = 0; n < 4; n++) {
        commands.send(JSON.stringify({ action: 'CreateDeal', params: { name: `One by one ${n}`, price: 1 } }))
        const answer = JSON.parse((await commands.line()) ?? '')
        assert.equal(answer.status, 'applied', JSON.stringify(answer))
        for (;;) {
          const line = await events.line()
          if (line?.startsWith('data:') && line.includes(`One by one ${n}`)) break
          assert.notEqual(line, undefined)
        }
      }
      commands.end()
      assert.equal(await commands.line(), undefined)
      events.close()
    })

    test('files of 50 MB and long streams come through, and what is too large is told by the service', async () => {
      const row = `${'Roof of the south hall, Ångström & Söhne'.repeat(20)}\n`
      const upload = (bytes: number) => {
        const { type, content } = fileForm({
          what: 'customers',
          file: { name: 'customers.csv', content: `name\n${row.repeat(Math.floor(bytes / Buffer.byteLength(row)))}` },
        })
        return ask('POST', `${proxy.url}/import`, content, { 'content-type': type })
      }
      assert.equal((await upload(49e6)).status, 303)
      requireProblem(await upload(54e6), 413)
      const command = JSON.stringify({ action: 'CreateDeal', params: { name: 'x'.repeat(190), price: 1 } })
      const lines = Math.ceil(1.5e6 / command.length)
      const answered = await ask('POST', `${proxy.url}/rest/commands`, `${command}\n`.repeat(lines), {
        'content-type': 'application/x-ndjson',
        prefer: 'return=minimal',
      })
      assert.equal(answered.status, 200)
      assert.equal(answered.text.trim().split('\n').length, lines)
      requireProblem(await ask('POST', proxy.url + DEALS, `{"name":"${'x'.repeat(2e6)}"}`, json), 413)
    })

    test('a request has one id in both logs, and the caller that the connection has', async () => {
      const answer = await ask('GET', `${proxy.url}/customers`, undefined, {
        'request-id': 'mine',
        'x-request-id': 'mine-too',
        'x-forwarded-for': '203.0.113.7',
      })
      const id = String(answer.headers['request-id'])
      assert.doesNotMatch(id, /mine/)
      while (!proxy.log().includes(id)) await pause(20)
      const log = proxy.log().split('\n')
      assert.equal(log.filter((line) => line.includes(id) && line.includes('/customers')).length, 1)
    })

    test('eight tabs of one browser load, and stay usable', async (t) => {
      // CI has one: there, none is a failure.
      const used = await useBrowser().catch((cause: Error) => {
        if (!(cause instanceof NoBrowser) || process.env.CI === 'true') throw cause
        return cause
      })
      if (used instanceof NoBrowser) return t.skip(used.message)
      try {
        const context = await used.browser.newContext({ ignoreHTTPSErrors: true })
        const tabs = []
        for (let n = 0; n < 8; n++) {
          const tab = await context.newPage()
          const answer = await tab.goto(`${proxy.url}/board`)
          assert.equal(answer?.status(), 200)
          tabs.push(tab)
        }
        for (const tab of tabs) {
          assert.equal(await tab.evaluate(() => fetch('/health/live').then(({ status }) => status)), 200)
        }
        await context.close()
      } finally {
        await used.close()
      }
    })

    test('overload is told by the service, and ends with the load', async () => {
      const seen = new Map<number, number>()
      const isOver = (): boolean => (seen.get(503) ?? 0) >= 50 && (seen.get(200) ?? 0) >= 50
      const clients = Array.from({ length: 24 }, async () => {
        while (!isOver()) {
          const answer = await ask('GET', `${calm.url}/rest/v1/deals?sort=-price`)
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
          if (answer.status !== 200) requireProblem(answer, 503)
        }
      })
      await Promise.all(clients)
      assert.deepEqual([...seen.keys()].toSorted(), [200, 503])
      for (let n = 0; n < 10; n++) assert.equal((await ask('GET', `${calm.url}/health/ready`)).status, 200)
    })

    test('an instance that is killed costs no read, and of the writes only those it was at', async (t) => {
      const load = keepAsking(proxy.url)
      await load.more(100)
      const [first] = instances
      assert.ok(first)
      first.service.process.kill('SIGKILL')
      await first.service.ended
      // Longer than an instance rests: it is tried again, and is still not there.
      for (let n = 0; n < 5; n++) {
        await pause(1000)
        await load.more(50)
      }
      const { lost, writes } = await load.end()
      t.diagnostic(`${writes} writes, lost: ${told(lost)}`)
      assert.equal(told(lost.filter((each) => each.startsWith('GET'))), '')
      assert.ok(lost.length <= CLIENTS, told(lost))
      await load.requireOnce()
      await restart(first)
      await answers(proxy.url)
    })

    test('instances that are restarted one after the other cost nothing', async () => {
      const load = keepAsking(proxy.url)
      for (const instance of instances) {
        await load.more(50)
        instance.service.process.kill('SIGTERM')
        const { code } = await instance.service.ended
        assert.equal(code, 0)
        await restart(instance)
        // The next one goes when this one has work again.
        const { stderr } = instance.service.process
        assert.ok(stderr)
        for await (const lines of on(stderr, 'data')) if (String(lines).includes(DEALS)) break
        await load.more(50)
      }
      const { lost } = await load.end()
      assert.equal(told(lost), '', `${told(lost)}\n${proxy.complaints()}`)
      await load.requireOnce()
    })

    test('while the database is away every answer is 503 with Retry-After, and then all is as before', async () => {
      await database.stop()
      const until = performance.now() + 8000
      while (performance.now() < until) {
        requireProblem(await ask('GET', `${proxy.url}/customers`), 503)
        requireProblem(await ask('POST', proxy.url + DEALS, '{"name":"Roof","price":1}', json), 503)
      }
      await database.start()
      await answers(proxy.url)
      assert.equal((await ask('POST', proxy.url + DEALS, '{"name":"Roof","price":1}', json)).status, 201)
    })
  })
}

/** Whatever went on before, it is over when both instances are taken again. */
async function answers(url: string): Promise<void> {
  for (let good = 0; good < 20; ) {
    const { status } = await ask('GET', `${url}/customers?maxpagesize=1`)
    good = status === 200 ? good + 1 : 0
    if (status !== 200) await pause(100)
  }
}

function requireProblem({ status, headers, text }: Through, expected: number): void {
  assert.equal(status, expected, text)
  assert.match(String(headers['content-type']), /^application\/problem\+json/)
  assert.equal(JSON.parse(text).status, expected)
  if (expected === 503) assert.match(String(headers['retry-after']), /^\d+$/)
}

/** Such as `3 × POST 502`. */
const told = (lost: readonly string[]): string =>
  Object.entries(Object.groupBy(lost, (each) => each))
    .map(([each, all]) => `${all?.length} × ${each}`)
    .join(', ')

/** Clients that read and write in turn, until they are told to end. */
function keepAsking(url: string) {
  const lost: string[] = []
  const names: string[] = []
  let answered = 0
  let isOver = false
  const run = `${process.pid}-${performance.now()}`
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const body = JSON.stringify({ name: `${run}-${client}-${n}`, price: 1 })
      const [method, answer] =
        n % 2 === 0
          ? ['GET', await ask('GET', `${url}/customers?maxpagesize=5`)]
          : ['POST', await ask('POST', url + DEALS, body, json)]
      answered++
      if (method === 'POST') names.push(JSON.parse(body).name)
      if (answer.status !== (method === 'GET' ? 200 : 201)) {
        lost.push(`${method} ${answer.status}`)
      }
    }
  })
  return {
    async more(count: number): Promise<void> {
      for (const enough = answered + count; answered < enough; ) await pause(20)
    },
    async end() {
      isOver = true
      await Promise.all(clients)
      return { lost, writes: names.length }
    },
    /** What is answered was done once, and what was lost at most once. */
    async requireOnce(): Promise<void> {
      const { text } = await ask('GET', `${url}/rest/v1/deals.ndjson?name.starts=${run}&fields=name`)
      const made = text
        .trim()
        .split('\n')
        .map((line) => String(JSON.parse(line).name))
      assert.equal(new Set(made).size, made.length, 'a write was done twice')
      assert.ok(made.length >= names.length - lost.length && made.length <= names.length)
    },
  }
}

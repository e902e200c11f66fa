import assert from 'node:assert/strict'
import { after, test as anyTest, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { addKey } from '../../../../src/access/as-operator.ts'
import { readSettings } from '../../../../src/config.ts'
import { startService } from '../../../../src/service/start-service.ts'
import { performAlone } from '../../../../src/store/port/store.ts'
import { breakingProxy } from '../../../support/database/breaking-proxy.ts'
import { keptConnection } from '../../../support/database/postgres-database.ts'
import { type PostgresServer, startPostgres } from '../../../support/database/postgres-server.ts'
import { intentTo } from '../../../support/deals/intents.ts'
import { everySecond } from '../../../support/inputs/drawn.ts'
import { send } from '../../../support/service/send.ts'
import { type ServiceProcess, spawnService } from '../../../support/service/service-process.ts'
import { unhurried } from '../../../support/service/unhurried.ts'

const test = everySecond(anyTest)
const DEALS = '/rest/v1/deals'

let database: PostgresServer
let service: ServiceProcess
let url: string
before(async () => {
  database = await startPostgres()
  service = spawnService({ DATABASE_URL: database.url('postgres'), LOG_LEVEL: 'fatal' })
  url = await service.ready
})
after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  await database.remove()
})

const pay = (deal: string, command: string) =>
  send('PUT', `${url}${DEALS}/${deal}/commands/${command}`, { action: 'RecordDealPayment', params: { amount: 1 } })

// A write that was under way waits some seconds to learn what became of it; a longer outage is told.
for (const [way, end, isLong] of [
  ['stopped', () => database.stop(), false],
  ['killed', () => database.kill(), true],
] as const) {
  test(`a database that is ${way} and started again under load loses no acknowledged write`, async (t) => {
    const made = await send('POST', `${url}${DEALS}/`, { name: 'Roof', price: 1 })
    assert.equal(made.status, 201, made.text)
    const deal = JSON.parse(made.text).id
    const acknowledged = new Set<number>()
    const unanswered: string[] = []
    let working = true
    const clients = Array.from({ length: 12 }, async (_, client) => {
      for (let n = 0; working; n++) {
        const command = `${way}-${client}-${n}`
        const answer = await pay(deal, command)
        if (answer.status === 201 || answer.status === 200) acknowledged.add(JSON.parse(answer.text).revision)
        else {
          assert.equal(answer.status, 503, answer.text)
          assert.ok(Number(answer.headers.get('retry-after')) >= 1)
          unanswered.push(command)
          await pause(200)
        }
      }
    })
    const someMore = async (): Promise<void> => {
      const enough = acknowledged.size + 30
      while (acknowledged.size < enough) await pause(10)
    }
    await someMore()
    await end()
    while (isLong && unanswered.length === 0) await pause(10)
    assert.equal((await send('GET', `${url}${DEALS}/${deal}`)).status, 503)
    assert.equal((await send('GET', `${url}/health/ready`)).status, 503)
    assert.equal((await send('GET', `${url}/health/live`)).status, 200)
    await database.start()
    const since = Date.now()
    while ((await send('GET', `${url}/health/ready`)).status !== 200) await pause(20)
    t.diagnostic(`ready again after ${Date.now() - since} ms`)
    await someMore()
    working = false
    await Promise.all(clients)
    // Who was told to come back finds out what became of the command, which has one effect either way.
    for (const command of unanswered) {
      let answer = await pay(deal, command)
      // Ready is said when one connection is back; the others follow, each at its own pace.
      while (answer.status === 503) {
        await pause(20)
        answer = await pay(deal, command)
      }
      assert.ok(answer.status === 200 || answer.status === 201, answer.text)
      acknowledged.add(JSON.parse(answer.text).revision)
    }
    const shown = JSON.parse((await send('GET', `${url}${DEALS}/${deal}`)).text)
    assert.equal(shown.paid, acknowledged.size)
    assert.equal(shown.revision, acknowledged.size + 1)
    assert.equal(service.process.exitCode, null)
  })
}

/** A service in this process, and what it logged. */
async function logged(databaseUrl: string) {
  const lines: Record<string, unknown>[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const settings = readSettings({ PORT: '0', DATABASE_URL: databaseUrl, ...unhurried })
  return { lines, running: await startService(settings, logger, assert.fail) }
}

test('the log says once why the database is away, and once that it is back', async () => {
  const { lines, running } = await logged(database.url('postgres'))
  await database.stop()
  for (let n = 0; n < 2; n++) {
    assert.equal((await send('GET', `${running.url}${DEALS}/`)).status, 503)
    assert.equal((await send('POST', `${running.url}${DEALS}/`, { name: 'Roof', price: 1 })).status, 503)
  }
  for (let n = 0; n < 3; n++) assert.equal((await send('GET', `${running.url}/health/ready`)).status, 503)
  await database.start()
  while (!lines.some(({ msg }) => /is back/.test(String(msg)))) {
    await send('GET', `${running.url}/health/ready`)
    await pause(10)
  }
  await running.close()
  // The others are the usual lines of requests that failed; a probe is none.
  assert.deepEqual(
    lines.filter(({ route }) => route === '/health/ready'),
    [],
  )
  const [gone, back, ...more] = lines.filter(({ msg }) => msg !== 'answered')
  assert.match(
    String(gone?.msg),
    /^postgres:\/\/127\.0\.0\.1:\d+\/postgres cannot be reached: (57P0|.*ECONN|Connection terminated)/,
  )
  assert.match(String(back?.msg), /^postgres:\/\/127\.0\.0\.1:\d+\/postgres is back after \d+ s$/)
  assert.deepEqual(more, [])
})

test('a service that stops while the database does not answer tells so to those who wait', async () => {
  const proxy = await breakingProxy(database.url('postgres'))
  const { running } = await logged(proxy.url)
  assert.equal((await send('POST', `${running.url}${DEALS}/`, { name: 'Roof', price: 1 })).status, 201)
  proxy.stall()
  // Requests that have come are answered; ones that have not would find the door closed. The last one is counted.
  const waiting = [
    send('GET', `${running.url}${DEALS}/`),
    send('POST', `${running.url}${DEALS}/`, { name: 'Tower', price: 1 }),
  ]
  while (running.store.counts.waiting === 0) await pause(1)
  await running.close()
  for (const { status, text } of await Promise.all(waiting)) assert.equal(status, 503, text)
  await proxy.close()
})

test('/metrics tells that the database is away, to a key that it knew', { timeout: 300_000 }, async () => {
  // The last test of the file: the other service of this database is no longer open.
  const settings = readSettings({ PORT: '0', DATABASE_URL: database.url('postgres'), ...unhurried })
  const own = await startService(settings, pino({ level: 'silent' }), assert.fail)
  const keys = []
  for (const each of ['prometheus', 'stranger']) {
    const made = await addKey(own.store, { name: each, role: 'reader' })
    assert.ok('key' in made)
    keys.push(made.key)
  }
  const [known = '', unseen = ''] = keys
  const scrape = (key: string) => send('GET', `${own.url}/metrics`, undefined, { authorization: `Bearer ${key}` })
  assert.match((await scrape(known)).text, /^dealdesk_store_up 1$/m)
  await database.stop()
  let away = await scrape(known)
  while (!away.text.includes('dealdesk_store_up 0')) {
    assert.equal(away.status, 200, away.text)
    await pause(20)
    away = await scrape(known)
  }
  assert.match(away.text, /^dealdesk_ready 0$/m)
  assert.equal((await scrape(unseen)).status, 503)
  const customers = await send('GET', `${own.url}/customers`, undefined, { authorization: `Bearer ${known}` })
  assert.equal(customers.status, 503)
  await database.start()
  while ((await send('GET', `${own.url}/health/ready`)).status !== 200) await pause(20)
  assert.match((await scrape(known)).text, /^dealdesk_store_up 1$/m)
  await own.close()
})

test('while writes wait for a standby that does not answer, the store is not ready, and the log says so once', async () => {
  const { lines, running } = await logged(database.url('postgres'))
  const { store } = running
  const admin = keptConnection(database.url('postgres'))
  const set = (change: string) =>
    admin(async (client) => {
      await client.query(`ALTER SYSTEM ${change}`)
      await client.query('SELECT pg_reload_conf()')
    })
  await set(`SET synchronous_standby_names = 'nobody'`)
  const checked = async () => {
    const { status, text } = await send('GET', `${running.url}/health/ready`)
    return status === 200 ? 'ready' : String(JSON.parse(text).detail)
  }
  const writing = performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 })).catch(() => {})
  while ((await checked()) === 'ready') await pause(10)
  assert.match(await checked(), /writes wait for a standby that does not answer/)
  await set('RESET synchronous_standby_names')
  await writing
  while ((await checked()) !== 'ready') await pause(10)
  await running.close()
  assert.deepEqual(
    lines.map(({ msg, reason }) => [msg, reason]),
    [
      ['the store is not available', 'writes wait for a standby that does not answer'],
      ['the store is available again', undefined],
    ],
  )
})

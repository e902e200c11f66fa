import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after } from 'node:test'
import { ownDatabase } from '../support/database/own-database.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { testOnEachStore } from '../support/rooms/each-store.ts'
import { closedWithTest } from '../support/service/closed-with-test.ts'
import { inherited } from '../support/service/service-process.ts'
import { ok, runReceiver } from '../support/webhooks/receiver.ts'

const test = everySecond(testOnEachStore)
const database = await ownDatabase()
after(() => database.remove())

async function runInstance(
  environment: { readonly [name: string]: string } = {},
): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const instance = new URL('../support/webhooks/instance.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [instance], {
    env: { ...inherited(), PORT: '0', DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closedWithTest(async () => child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', () => reject(new Error('the instance ended')))
  })
  return { process: child, url }
}

async function post(url: string, body: unknown): Promise<{ readonly id: string }> {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  // An instance waits for the other's transaction for seconds, for which that one may stand still.
  if (response.status === 503) return post(url, body)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string }
}

test('when one of two instances is killed the other finishes its deliveries', async () => {
  // A slow answer of a busy machine is no failure, which would be tried again. Who ended is found at every sixth of it.
  const environment = { LEASE: '36000' }
  const [first, second] = await Promise.all([runInstance(environment), runInstance(environment)])
  const receiver = await runReceiver()
  // The kill comes in the middle of tries.
  const killed = Promise.withResolvers<void>()
  receiver.answer = (response) => void killed.promise.then(() => response.end())
  await post(`${first.url}/webhooks`, { url: receiver.url })
  const written = new Set<string>()
  const write = async (url: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const { id } = await post(`${url}/rest/v1/deals/`, { name: `deal ${n}`, price: 1 })
      written.add(id)
    }
  }
  await Promise.all([write(second.url, 20), write(second.url, 20), write(first.url, 10)])
  await receiver.until((received) => received.length >= 20)
  first.process.kill('SIGKILL')
  killed.resolve()
  await write(second.url, 10)
  const seen = () => new Set(receiver.received.map(({ event }) => event.subject))
  await receiver.until(() => seen().size === written.size)
  assert.deepEqual(seen(), written)
  // What the killed one had taken may be sent again, 32 for one receiver; nothing else is.
  assert.ok(receiver.received.length <= written.size + 32, `${receiver.received.length} for ${written.size}`)
  second.process.kill('SIGTERM')
  await receiver.close()
})

test('an instance that is started again after a kill goes on at once with what it had taken', async () => {
  // Longer than the test may take.
  const environment = { LEASE: '600000' }
  const first = await runInstance(environment)
  const receiver = await runReceiver()
  receiver.answer = () => {}
  await post(`${first.url}/webhooks`, { url: receiver.url })
  const { id } = await post(`${first.url}/rest/v1/deals/`, { name: 'taken', price: 1 })
  await receiver.until((received) => received.some(({ event }) => event.subject === id))
  first.process.kill('SIGKILL')
  const count = receiver.received.length
  receiver.answer = ok
  const second = await runInstance(environment)
  await receiver.until((received) => received.slice(count).some(({ event }) => event.subject === id))
  second.process.kill('SIGTERM')
  await receiver.close()
})

test('two instances whose clocks differ by a minute deliver nothing twice', {
  skip: process.env.TEST_STORE !== 'postgres' && 'instances on one machine have one clock',
}, async () => {
  const clocks = ['0', '60000']
  const instances = await Promise.all(clocks.map((ahead) => runInstance({ LEASE: '600000', CLOCK_AHEAD: ahead })))
  const receiver = await runReceiver()
  // Each write makes its instance look for what is due, while what was taken before it is not answered yet.
  const written = Promise.withResolvers<void>()
  receiver.answer = (response) => void written.promise.then(() => response.end())
  await post(`${instances[0]?.url}/webhooks`, { url: receiver.url })
  const deals = Array.from({ length: 60 }, async (_, n) => {
    const { id } = await post(`${instances[n % 2]?.url}/rest/v1/deals/`, { name: `deal ${n}`, price: 1 })
    return id
  })
  const ids = new Set(await Promise.all(deals))
  written.resolve()
  const own = () => receiver.received.filter(({ event }) => ids.has(event.subject))
  await receiver.until(() => new Set(own().map(({ event }) => event.subject)).size === ids.size)
  assert.equal(own().length, ids.size)
  for (const { process } of instances) process.kill('SIGTERM')
  await receiver.close()
})

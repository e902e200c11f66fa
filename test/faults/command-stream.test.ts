import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { oneOf } from '../support/faults/scale.ts'
import { send } from '../support/service/send.ts'
import { type ServiceProcess, spawnService } from '../support/service/service-process.ts'

// The whole number that is promised, on both stores: npm run test:long -- stream.
const COMMANDS = Number(process.env.STREAM_COMMANDS ?? 600)
const DEALS = 50

const stores: readonly (readonly [string, () => Promise<OwnDatabase>])[] = [
  ['SQLite', async () => ownSqlite('ready')],
  ['PostgreSQL', () => ownPostgres('ready')],
]

/** Creates some deals, then pays each again and again, every command under an id of its own. */
function* commands(): Generator<string> {
  for (let n = 0; n < COMMANDS; n++) {
    const id = `c-${n}`
    const asked =
      n < DEALS
        ? { id, action: 'CreateDeal', params: { name: 'Streamed', price: 1 } }
        : { id, deal: ids[n % DEALS], action: 'RecordDealPayment', params: { amount: 1 } }
    yield `${JSON.stringify(asked)}\n`
  }
}
let ids: readonly string[] = []

function open(url: string): ClientRequest {
  const headers = { 'content-type': 'application/x-ndjson', prefer: 'return=minimal' }
  const sent = httpRequest(`${url}/rest/commands`, { method: 'POST', headers })
  sent.on('error', () => {})
  return sent
}

/** Sends as fast as the service takes it. */
async function sendAll(lines: Iterable<string>, sent: ClientRequest): Promise<void> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < 16_384) continue
    // Rejects if the service is killed meanwhile.
    if (!sent.write(text)) await once(sent, 'drain')
    text = ''
  }
  sent.end(text)
}

/** How many lines came back, each applied and in order; `onLine` may end the service meanwhile. */
async function streamAll(url: string, lines: Iterable<string>, onLine: (count: number) => void = () => {}) {
  const sent = open(url)
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sendAll(lines, sent).catch(() => {})
  let count = 0
  try {
    const [answer] = await answered
    for await (const line of createInterface({ input: answer })) {
      assert.deepEqual(JSON.parse(line), { line: count + 1, index: count, status: 'applied' })
      onLine(++count)
    }
  } catch (cause) {
    if (cause instanceof assert.AssertionError) throw cause
  }
  return count
}

const peakOf = (pid: number | undefined): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

for (const [name, make] of oneOf('STREAM_STORES', stores)) {
  describe(`a stream of commands on ${name}`, () => {
    let database: OwnDatabase
    before(async () => {
      database = await make()
    })
    after(() => database.remove())

    test(`of ${COMMANDS}, cut by kill -9 and sent again, does every command once`, async (t) => {
      const environment = { DATABASE_URL: database.url }
      const first = spawnService(environment)
      const url = await first.ready
      const made = await send('POST', `${url}/rest/v1/batch`, {
        commands: [...commands()].slice(0, DEALS).map((line) => JSON.parse(line)),
      })
      ids = JSON.parse(made.text).results.map((result: { deal: { id: string } }) => result.deal.id)
      const before = await streamAll(url, commands(), (count) => {
        if (count === Math.floor(COMMANDS / 4)) first.process.kill('SIGKILL')
      })
      await first.ended
      assert.ok(before < COMMANDS)
      const second = spawnService(environment)
      const again = await second.ready
      const since = performance.now()
      assert.equal(await streamAll(again, commands()), COMMANDS)
      const taken = performance.now() - since
      const groups = JSON.parse(
        (await send('GET', `${again}/rest/v1/deals?group=currency&measure=count,sum.paid,sum.revision`)).text,
      )
      assert.deepEqual([groups.items[0].count, groups.items[0]['sum.paid']], [DEALS, COMMANDS - DEALS])
      t.diagnostic(
        `${before} lines before the kill, then all ${COMMANDS} in ${Math.round(taken)} ms (${Math.round((COMMANDS / taken) * 1000)}/s, some of them known), peak ${peakOf(second.process.pid)} MiB`,
      )
      await t.test('one whose client reads nothing is not read either, and holds up nobody', (u) =>
        sendUnread(u, again, second),
      )
      await t.test('one that a stop ends says which command it did not try', () => sendUntilStop(again, second))
      assert.equal((await second.ended).code, 0)
    })
  })
}

async function sendUntilStop(url: string, service: ServiceProcess): Promise<void> {
  const sent = open(url)
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(`\n${JSON.stringify({ action: 'CreateDeal', params: { name: 'Last', price: 1 } })}\n{"action":`)
  const lines = createInterface({ input: (await answered)[0] })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? '{}')
  assert.partialDeepStrictEqual(await next(), { index: 0, line: 2, status: 'applied' })
  service.process.kill('SIGTERM')
  assert.partialDeepStrictEqual(await next(), { index: 1, line: 3, status: 'not-tried' })
}

/** Whether the service leaves what was sent where it is, though it has its turn many times over: it answers others. */
async function takesNoMore(stuck: ClientRequest, url: string): Promise<boolean> {
  for (let n = 0; n < 100 && stuck.writableNeedDrain; n++) {
    assert.equal((await send('GET', `${url}/health/live`)).status, 200)
  }
  return stuck.writableNeedDrain
}

/** Sends until the service takes no more, and reads nothing of the answer. */
async function sendUnread(t: TestContext, url: string, service: ServiceProcess): Promise<void> {
  const stuck = open(url)
  stuck.setHeader('prefer', 'return=representation')
  const answered = once(stuck, 'response') as Promise<[IncomingMessage]>
  let sentBytes = 0
  // One whose answers are long: the way back is full after a few of them.
  const long = { name: 'Long', price: 1, description: 'x'.repeat(10_000) }
  const { id } = JSON.parse((await send('POST', `${url}/rest/v1/deals`, long)).text)
  const line = `${JSON.stringify({ deal: id, action: 'RecordDealPayment', params: { amount: 1, reference: 'x'.repeat(100) } })}\n`
  const text = line.repeat(Math.ceil(65_536 / line.length))
  stuck.write(text)
  const [answer] = await answered
  answer.pause()
  // Until the service takes no more.
  for (let full = false; !full; ) {
    sentBytes += text.length
    if (stuck.write(text)) continue
    full = await takesNoMore(stuck, url)
  }
  assert.equal((await send('GET', `${url}/rest/v1/deals/${ids[1]}`)).status, 200)
  t.diagnostic(`${Math.round(sentBytes / 2 ** 20)} MiB taken, peak ${peakOf(service.process.pid)} MiB`)
  stuck.destroy()
}

import assert from 'node:assert/strict'
import { after, test as anyTest, before } from 'node:test'
import { freshDatabase } from '../../../support/database/postgres-database.ts'
import { everySecond } from '../../../support/inputs/drawn.ts'
import { send } from '../../../support/service/send.ts'
import { type ServiceProcess, spawnService } from '../../../support/service/service-process.ts'

// The whole numbers that are promised: npm run test:long -- two-instances.
const IDS = Number(process.env.COMMAND_IDS ?? 10)
const COPIES = Number(process.env.COMMAND_COPIES ?? 8)
const BATCH = Number(process.env.BATCH_COMMANDS ?? 30)
const BATCHES = Number(process.env.BATCHES ?? 8)
const PAYMENTS = Number(process.env.CLIENT_PAYMENTS ?? 1)

const test = everySecond(anyTest)
const DEALS = '/rest/v1/deals'

let instances: readonly ServiceProcess[]
let urls: readonly string[]
before(async () => {
  const environment = { DATABASE_URL: await freshDatabase(), LOG_LEVEL: 'error' }
  instances = [spawnService(environment), spawnService(environment)]
  urls = await Promise.all(instances.map(({ ready }) => ready))
})
after(async () => {
  for (const { process } of instances) process.kill('SIGTERM')
  for (const { ended } of instances) await ended
})

const on = (n: number): string => urls[n % urls.length] ?? ''

async function create(): Promise<string> {
  const made = await send('POST', `${on(0)}${DEALS}/`, { name: 'Roof', price: 10 })
  assert.equal(made.status, 201, made.text)
  return JSON.parse(made.text).id
}

/** Everything, at most so many at a time. */
async function pool<T>(jobs: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let at = next++; at < jobs.length; at = next++) results[at] = await (jobs[at] as () => Promise<T>)()
    }),
  )
  return results
}

test(`${IDS} command ids in ${COPIES} copies, over two instances and both command paths, have ${IDS} effects`, async (t) => {
  const deals = await Promise.all(Array.from({ length: 8 }, create))
  const copies = Array.from({ length: IDS * COPIES }, (_, n) => {
    // All copies of an id are under way at once; they differ in instance and path.
    const [id, copy] = [Math.floor(n / COPIES), n % COPIES]
    const deal = deals[id % deals.length]
    const [action, params] = ['RecordDealPayment', { amount: 0.01 }] as const
    return async () => {
      const answer =
        Math.floor(copy / 2) % 2 === 0
          ? await send('PUT', `${on(copy)}${DEALS}/${deal}/commands/pay-${id}`, { action, params })
          : await send('PUT', `${on(copy)}/rest/commands/pay-${id}`, { deal, action, params })
      return { id, ...answer }
    }
  })
  const answers = await pool(copies, 100)
  const firsts = answers.filter(({ status }) => status === 201)
  assert.equal(firsts.length, IDS)
  assert.ok(answers.every(({ status }) => status === 201 || status === 200))
  for (const { id, text } of firsts) {
    const all = answers.filter((answer) => answer.id === id)
    assert.ok(all.every((answer) => answer.text === text))
    assert.equal(all.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, COPIES - 1)
  }
  let effects = 0
  for (const deal of deals) {
    const shown = JSON.parse((await send('GET', `${on(1)}${DEALS}/${deal}`)).text)
    effects += shown.revision - 1
    assert.equal(shown.paid, (shown.revision - 1) / 100)
  }
  assert.equal(effects, IDS)
  t.diagnostic(`${answers.length} commands, ${effects} effects, the others told the same, as replayed`)
})

test('copies of one creation over two instances make one deal', async () => {
  const copies = Array.from(
    { length: 40 },
    (_, n) => () =>
      send('PUT', `${on(n)}/rest/commands/the-one-creation`, {
        action: 'CreateDeal',
        params: { name: 'Only', price: 1 },
      }),
  )
  const answers = await pool(copies, 40)
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  const found = JSON.parse((await send('GET', `${on(0)}${DEALS}?name=Only`)).text)
  assert.equal(found.items.length, 1)
})

test('of 50 writers with one tag, over two instances, one wins and 49 are told the current one', async (t) => {
  const url = `${DEALS}/${await create()}`
  const ifMatch = { 'if-match': (await send('GET', `${on(0)}${url}`)).headers.get('etag') ?? '' }
  const writers = Array.from({ length: 50 }, (_, n) => () => send('PUT', `${on(n)}${url}`, { price: n + 1 }, ifMatch))
  const answers = await pool(writers, 50)
  const winners = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 412)
  t.diagnostic(`${winners.length} × 200, ${refused.length} × 412`)
  assert.deepEqual([winners.length, refused.length], [1, 49])
  // A compressed answer would have a tag of its own.
  const now = await send('GET', `${on(1)}${url}`, undefined, { 'accept-encoding': 'identity' })
  assert.equal(now.text, winners[0]?.text)
  for (const { headers } of refused) assert.equal(headers.get('etag'), now.headers.get('etag'))
})

test('64 clients of two instances on one deal lose nothing and see no serialization error', async (t) => {
  const deal = await create()
  const clients = Array.from({ length: 64 }, (_, client) => async () => {
    const statuses: number[] = []
    for (let n = 0; n < PAYMENTS; n++) {
      const { status } = await send('POST', `${on(client)}${DEALS}/${deal}/payments`, { amount: 1 })
      statuses.push(status)
    }
    return statuses
  })
  const statuses = (await pool(clients, 64)).flat()
  t.diagnostic(`${statuses.length} payments, answered ${[...new Set(statuses)]}`)
  assert.deepEqual([...new Set(statuses)], [201])
  assert.partialDeepStrictEqual(JSON.parse((await send('GET', `${on(1)}${DEALS}/${deal}`)).text), {
    paid: statuses.length,
    revision: statuses.length + 1,
  })
})

/** Where too many fight for the same things, one is told to come again, and that nothing was done. */
async function sendPatiently(...request: Parameters<typeof send>): ReturnType<typeof send> {
  for (;;) {
    const answer = await send(...request)
    if (answer.status !== 503) return answer
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]$/, answer.text)
  }
}

test(`atomic batches of ${BATCH} commands over two instances that fight for the same deals take effect whole or not at all`, async (t) => {
  const made = await send('POST', `${on(0)}/rest/v1/batch`, {
    atomic: true,
    commands: Array.from({ length: BATCH }, () => ({ action: 'CreateDeal', params: { name: 'Fought for', price: 1 } })),
  })
  const deals = JSON.parse(made.text).results.map((result: { deal: { id: string } }) => result.deal.id) as string[]
  const since = performance.now()
  // Half of them meet the deals in the other order, and every third has a command that is refused, at its end.
  const batches = Array.from({ length: BATCHES }, (_, n) => () => {
    const commands = (n % 4 < 2 ? deals : deals.toReversed()).map((deal) => ({
      deal,
      action: 'RecordDealPayment',
      params: { amount: 1 },
    }))
    const last = { deal: commands[0]?.deal, action: 'ArchiveDeal', params: {} }
    return sendPatiently('POST', `${on(n)}/rest/v1/batch`, {
      atomic: true,
      commands: n % 3 === 2 ? [...commands.slice(1), last] : commands,
    })
  })
  const singles = deals
    .slice(0, 20)
    .map((deal, n) => () => sendPatiently('POST', `${on(n)}${DEALS}/${deal}/payments`, { amount: 1 }))
  const [answers, alone] = await Promise.all([pool(batches, 8), pool(singles, 4)])
  const statuses = answers.map(({ status }) => status)
  t.diagnostic(
    `${BATCHES} batches, answered ${[...new Set(statuses)]}, in ${Math.round(performance.now() - since)} ms; beside them ${alone.length} single payments`,
  )
  assert.deepEqual(
    statuses,
    statuses.map((_, n) => (n % 3 === 2 ? 409 : 200)),
    answers.find(({ status }) => status !== 200 && status !== 409)?.text ?? '',
  )
  assert.deepEqual(
    new Set(alone.map(({ status }) => status)),
    new Set([201]),
    alone.find(({ status }) => status !== 201)?.text ?? '',
  )
  const applied = statuses.filter((status) => status === 200).length
  const paid = JSON.parse((await send('GET', `${on(1)}${DEALS}?name=Fought%20for&group=paid&measure=count`)).text)
  assert.deepEqual(
    new Map(paid.items.map((group: { paid: number; count: number }) => [group.paid, group.count])),
    new Map([
      [applied, BATCH - alone.length],
      [applied + 1, alone.length],
    ]),
  )
})

test('an instance that is killed takes no one with it', async (t) => {
  const deal = await create()
  const [first, second] = instances
  let acknowledged = 0
  let killed = false
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let n = 0; n < 20; n++) {
      try {
        const { status } = await send('POST', `${on(client)}${DEALS}/${deal}/payments`, { amount: 1 })
        assert.equal(status, 201)
        acknowledged++
      } catch (cause) {
        // Only those who were talking to the one that was killed.
        assert.ok(killed && client % 2 === 0, String(cause))
        return
      }
      if (acknowledged > 50 && !killed) killed = first?.process.kill('SIGKILL') ?? false
    }
  })
  await Promise.all(clients)
  assert.ok(killed)
  assert.ok(acknowledged >= 8 * 20)
  const { paid } = JSON.parse((await send('GET', `${on(1)}${DEALS}/${deal}`)).text)
  t.diagnostic(`${acknowledged} acknowledged, ${paid} there`)
  // A write under way when its instance was killed may be there, though nobody was told.
  assert.ok(paid >= acknowledged && paid <= acknowledged + 8, `${paid} paid, ${acknowledged} acknowledged`)
  assert.equal((await send('GET', `${on(1)}/health/ready`)).status, 200)
  assert.equal(second?.process.exitCode, null)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresServer, startPostgres, startStandby } from '../support/database/postgres-server.ts'
import { send } from '../support/service/send.ts'
import { type ServiceProcess, spawnService } from '../support/service/service-process.ts'

// A primary with a synchronous standby, instances that know both addresses, and clients that go on whatever happens.

const SECONDS = Number(process.env.FAILOVER_SECONDS ?? 0)
const CLIENTS = 16
/** The short form has one: what an instance does when a primary goes does not depend on others. */
const INSTANCES = SECONDS === 0 ? 1 : 2
const DEALS = '/rest/v1/deals'

let primary: PostgresServer
let standby: PostgresServer
let instances: readonly ServiceProcess[]
let urls: readonly string[]
before(async () => {
  primary = await startPostgres(['synchronous_standby_names=standby'])
  // A copy of the files needs a server that is at rest.
  await primary.stop()
  standby = await startStandby(primary)
  await primary.start()
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`)
  const DATABASE_URL = primary.url('postgres').replace(/127\.0\.0\.1:\d+/, hosts.join(','))
  const settings = { DATABASE_URL, LOG_LEVEL: 'fatal', MAX_LOOP_DELAY: '60000' }
  instances = Array.from({ length: INSTANCES }, () => spawnService(settings))
  urls = await Promise.all(instances.map(({ ready }) => ready))
})
after(async () => {
  for (const { process } of instances ?? []) process.kill('SIGTERM')
  await Promise.all((instances ?? []).map(({ ended }) => ended))
  await Promise.all([primary?.remove(), standby?.remove()])
})

async function ask(server: PostgresServer, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('a standby that is promoted under load has every acknowledged write, and instances find it', async (t) => {
  const deals = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const made = await send('POST', `${urls[0]}${DEALS}/`, { name: 'Roof', price: 1 })
      assert.equal(made.status, 201, made.text)
      return String(JSON.parse(made.text).id)
    }),
  )
  const [state] = await ask(primary, 'SELECT sync_state FROM pg_stat_replication')
  assert.equal(state?.sync_state, 'sync')

  const acknowledged = new Map<string, number>()
  const unanswered: string[] = []
  let isOver = false
  let refusals = 0
  let longest = 0
  const pay = (command: string, client: number) =>
    send('PUT', `${urls[client % INSTANCES]}${DEALS}/${deals[client % 4]}/commands/${command}`, {
      action: 'RecordDealPayment',
      params: { amount: 1 },
    })
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const command = `${client}-${n}`
      const since = performance.now()
      // The same command until it is answered: it takes effect once.
      for (;;) {
        const answer = await pay(command, client)
        if (answer.status === 201 || answer.status === 200) {
          acknowledged.set(command, JSON.parse(answer.text).revision)
          break
        }
        assert.equal(answer.status, 503, answer.text)
        refusals++
        if (isOver) {
          unanswered.push(command)
          break
        }
        await pause(50)
      }
      longest = Math.max(longest, performance.now() - since)
    }
  })

  /** Until each client has some answers more; as long as it is told. */
  const goOn = async (): Promise<void> => {
    const enough = acknowledged.size + 3 * CLIENTS
    const until = performance.now() + SECONDS * 1000
    while (acknowledged.size < enough || performance.now() < until) await pause(20)
  }
  await goOn()
  const before = acknowledged.size
  await primary.kill()
  const killedAt = performance.now()
  await ask(standby, 'SELECT pg_promote()')
  while (acknowledged.size < before + 2 * CLIENTS) await pause(20)
  const recovered = performance.now() - killedAt
  await goOn()
  isOver = true
  await Promise.all(clients)

  const paid = new Map<string, number>()
  for (const { command_id: id, revision } of await ask(standby, 'SELECT command_id, revision FROM events')) {
    if (id === null) continue
    assert.ok(!paid.has(String(id)), `${id} took effect twice`)
    paid.set(String(id), Number(revision))
  }
  const lost = [...acknowledged].filter(([command, revision]) => paid.get(command) !== revision)
  assert.deepEqual(lost, [], 'acknowledged, and lost')
  const strangers = [...paid.keys()].filter((id) => !acknowledged.has(id) && !unanswered.includes(id))
  assert.deepEqual(strangers, [])
  for (const url of urls) assert.equal((await send('GET', `${url}/health/ready`)).status, 200)
  t.diagnostic(
    `${acknowledged.size} acknowledged, ${before} of them before the kill, 0 lost; ${refusals} × 503; ` +
      `writes went on after ${Math.round(recovered)} ms, the longest wait was ${Math.round(longest)} ms`,
  )
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { after, before } from 'node:test'
import { randomFrom } from '../../../src/demo/random.ts'
import { ownDatabase } from '../../support/database/own-database.ts'
import { checkHistories } from '../../support/faults/check-histories.ts'
import { seedOf } from '../../support/inputs/draw.ts'
import { type HostileRequest, hostileRequest, type Known } from '../../support/inputs/hostile-requests.ts'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { loggedDefects } from '../../support/service/logged-defects.ts'
import { openSocket, type RawAnswer, readAnswer } from '../../support/service/raw-socket.ts'
import { type ServiceProcess, spawnService } from '../../support/service/service-process.ts'

// Requests that nobody thought of, to every route. HOSTILE_SEED sends the same again; `npm run test:long -- hostile` sends
// 30,000.

const SEED = seedOf('HOSTILE_SEED')
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 400)
const AT_ONCE = 16
const RENEWED_AFTER = 50

const database = await ownDatabase()
let service: ServiceProcess
let url: URL

before(async () => {
  service = spawnService({ DATABASE_URL: database.url })
  url = new URL(await service.ready)
})
after(async () => {
  service.process.kill('SIGTERM')
  const { code, stderr } = await service.ended
  database.remove()
  assert.equal(loggedDefects(stderr), '', 'something was logged as a defect')
  assert.equal(code, 0)
})

test(`${REQUESTS} hostile requests never make the service fail, hang or tell of its insides`, async (t) => {
  t.diagnostic(`HOSTILE_SEED=${SEED}`)
  const random = randomFrom(SEED)
  let known = await makeKnown()
  const kept = await makeDeal('Nobody asks for this one')
  const before = await text(`/rest/v1/deals/${kept}`)
  const started = performance.now()
  const statuses = new Map<number | 'closed', number>()
  let left = REQUESTS
  const sendAll = async (): Promise<void> => {
    while (left-- > 0) {
      // Sooner or later each of them is deleted.
      if (left % RENEWED_AFTER === 0) known = await makeKnown()
      const status = await send(hostileRequest(random, known))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll))
  const seconds = Math.round((performance.now() - started) / 1000)
  const counts = [...statuses].toSorted(([a], [b]) => String(a).localeCompare(String(b)))
  t.diagnostic(`${REQUESTS} requests in ${seconds} s: ${counts.map((each) => each.join(' × ')).join(', ')}`)

  assert.ok((statuses.get(200) ?? 0) > REQUESTS / 200, 'hardly a request got through')
  assert.equal((await fetch(new URL('/health/ready', url))).status, 200)
  assert.equal(await text(`/rest/v1/deals/${kept}`), before)
  assert.ok((await makeDeal('After all of them')) !== '')
  if (process.env.TEST_STORE === 'postgres') return
  using db = new DatabaseSync(database.url, { readOnly: true })
  checkHistories(db)
})

/** The status, or that the connection was closed where no answer can be asked for. */
async function send(request: HostileRequest): Promise<number | 'closed'> {
  const socket = await openSocket(url)
  try {
    const answering = readAnswer(socket, { head: request.isHead })
    socket.write(request.bytes)
    // Nothing more will come.
    if (request.isBroken) socket.end()
    const answer = await answering
    check(answer, request)
    return answer.status
  } catch (cause) {
    const isClosed = /^(the connection ended after ""|read ECONNRESET|write EPIPE)/.test((cause as Error).message)
    if (isClosed && request.isBroken) return 'closed'
    throw new Error(`HOSTILE_SEED=${SEED}: ${JSON.stringify(request.bytes.toString('latin1', 0, 3000))}`, { cause })
  } finally {
    socket.destroy()
  }
}

function check({ status, headers, body }: RawAnswer, { mayAnswer }: HostileRequest): void {
  assert.ok(status < 500 || mayAnswer.includes(status), `${status} ${body}`)
  assert.doesNotMatch(body, /\bat .*\.(ts|js):\d+|node_modules|node:internal|SQLITE/)
  if (status >= 400) assert.match(headers['content-type'] ?? '', /^(application\/problem\+(json|xml)|text\/html)/)
}

async function makeKnown(): Promise<Known> {
  const deal = await makeDeal('Roof')
  const customer = await post('/customers', { name: 'Mila Sanz', age: 41, email: 'mila@example.com' })
  const command = { deal, action: 'RecordDealPayment', params: { amount: 1 } }
  const id = randomUUID()
  assert.equal((await put(`/rest/commands/${id}`, command)).status, 201)
  // RFC 6761 §6.4: a name that never leads anywhere.
  const webhook = await post('/webhooks', { url: 'http://nobody.invalid/', types: ['deal.restored'] })
  return { deal, customer, command: id, webhook }
}

const makeDeal = (name: string): Promise<string> => post('/rest/v1/deals', { name, price: 1 })

async function post(path: string, body: object): Promise<string> {
  const answer = await fetch(new URL(path, url), { method: 'POST', ...json(body) })
  assert.equal(answer.status, 201)
  return String(((await answer.json()) as { readonly id: unknown }).id)
}

const put = (path: string, body: object): Promise<Response> =>
  fetch(new URL(path, url), { method: 'PUT', ...json(body) })
const json = (body: object) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const text = async (path: string): Promise<string> => (await fetch(new URL(path, url))).text()

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { ownSqlite } from '../support/database/own-database.ts'
import { runClosedService } from '../support/service/closed-service.ts'
import { freePort } from '../support/service/free-port.ts'
import { type Desk, openDesk } from '../support/service/running-command.ts'
import { openService, type TestService } from '../support/service/running-service.ts'

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const got: Got[] = []
let answers = 204
const receiver = createServer(async (request, response) => {
  got.push({ headers: request.headers, body: await text(request) })
  response.writeHead(answers).end(answers === 204 ? undefined : 'not today')
})
let url = ''
const database = ownSqlite('ready')
let desk: Desk
let service: TestService
let address = ''

/** Over the same database each time. */
const serve = (settings: { readonly [name: string]: string }) =>
  openService({ ...settings, DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true' })

const send = async (path: string, body: object, method = 'POST') => {
  const answer = await fetch(address + path, {
    method,
    // One that rested may be closed at the other end when a busy machine comes to use it.
    headers: { connection: 'close', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, await answer.clone().text())
  return (await answer.json()) as { readonly id: string; readonly secret: string }
}

before(async () => {
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  desk = openDesk({ WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_URL: database.url })
  service = await serve({ PORT: String(await freePort()) })
  address = service.url
})
after(async () => {
  await desk[Symbol.asyncDispose]()
  await service.close()
  database.remove()
  receiver.close()
  receiver.closeAllConnections()
})

const genuine = (secret: string, { headers, body }: Got): { readonly type: string; readonly subject: string } => {
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return new Webhook(secret).verify(body, signed) as { readonly type: string; readonly subject: string }
}

suite('for developers of receivers,', () => {
  test('webhook test sends a signed event and shows request and answer', async () => {
    const { id, secret } = await send('/webhooks', { url, types: ['customer.deleted'] })
    answers = 204
    const fine = await desk.run(['webhook', 'test', id])
    assert.equal(fine.code, 0, fine.stderr)
    const [first] = got.splice(0)
    assert.ok(first)
    assert.partialDeepStrictEqual(genuine(secret, first), { type: 'webhook.test', subject: id })
    assert.match(fine.stdout, new RegExp(`^POST ${url}\n[\\s\\S]*webhook-signature: v1,[\\s\\S]*\nanswered 204\n$`))
    assert.ok(fine.stdout.includes(first.body))
    answers = 500
    const bad = await desk.run(['webhook', 'test', url])
    assert.equal(bad.code, 1)
    assert.match(bad.stdout, /answered 500\nnot today\n$/)
    const [, told = ''] = /^signed with (whsec_\S+)$/m.exec(bad.stderr) ?? []
    const [second] = got.splice(0)
    assert.ok(second)
    assert.equal(genuine(told, second).type, 'webhook.test')
    const unknown = await desk.run(['webhook', 'test', '01a1dda2-91e0-7388-80b1-f9312d8a169a'])
    assert.deepEqual([unknown.code, /there is no webhook/.test(unknown.stderr)], [1, true])
  })

  test('listen sends events on as they happen, signed, and follows a service that comes back', async () => {
    const secret = 'whsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    answers = 204
    const listening = desk.start(['listen', url, '--service', address, '--secret', secret, '--types', 'deal.*'])
    await listening.said(/following/)
    await send('/customers', { name: 'Ann' })
    const { id } = await send('/rest/v1/deals', { name: 'Roof', price: 1 })
    await listening.said(/deal\.created \S+: answered 204, \d+ ms/)
    await service.close()
    service = await serve({ PORT: new URL(address).port })
    answers = 500
    await send(`/rest/v1/deals/${id}/hold`, { reason: 'credit check' }, 'PUT')
    await listening.said(/deal\.held \S+: answered 500/)
    listening.process.kill('SIGINT')
    assert.equal((await listening.ended).code, 0)
    assert.deepEqual(
      got.splice(0).map((each) => genuine(secret, each).type),
      ['deal.created', 'deal.held'],
    )
  })

  test('listen says why it cannot: a wrong address, or a service that refuses', async () => {
    const closed = await runClosedService()
    const wrong = await desk.run(['listen', 'localhost:3000'])
    assert.equal(wrong.code, 2)
    const refused = await desk.run(['listen', url, '--service', closed.url])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /answered 401: This needs a user or an API key/)
  })
})

test('types of added fields are written, for the typed client', async () => {
  assert.match(
    (await desk.run(['types', '--service', address])).stdout,
    /export interface OwnFields \{\n {2}readonly pipelines: \{/,
  )
  await send('/fields', { on: 'deal', name: 'renewal', title: 'Renewal', kind: 'date' })
  const values = ['north', "it's"].map((value) => ({ value, title: value }))
  await send('/fields', { on: 'deal', name: 'region', title: 'Region', kind: 'choices', options: { values } })
  const { id } = await send('/fields', { on: 'task', name: 'gone', title: 'Gone', kind: 'boolean' })
  await send(`/fields/${id}:retire`, {})
  await send('/pipelines', {
    name: 'tenders-abroad',
    title: 'Tenders',
    stages: [{ name: 'due' }, { name: 'sent-off' }],
  })
  const { code, stdout } = await desk.run(['types', '--service', address])
  assert.equal(code, 0)
  assert.equal(
    stdout.slice(stdout.indexOf('export')),
    `export interface OwnFields {
  readonly deal: {
    readonly renewal: string | null
    readonly region: readonly ("north" | "it's")[] | null
  }
  readonly pipelines: {
    readonly "sales": "lead" | "qualified" | "proposal" | "negotiation" | "contract"
    readonly "tenders-abroad": "due" | "sent-off"
  }
}
`,
  )
  const unreachable = await desk.run(['types', '--service', `http://127.0.0.1:${await freePort()}`])
  assert.notEqual(unreachable.code, 0)
  assert.match(unreachable.stderr, /^dealdesk: http:\S+ does not tell its fields: no service listens there\n$/)
})

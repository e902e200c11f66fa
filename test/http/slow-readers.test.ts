import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { readSettings } from '../../src/config.ts'
import { endpoints } from '../../src/http/endpoints.ts'
import { buildServer } from '../../src/http/server.ts'
import { serviceOver } from '../../src/http/service.ts'
import { collections } from '../../src/queries/collections.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { BEFORE_ALL } from '../../src/values/sequence.ts'
import { ownSqlite } from '../own-database.ts'
import { openSocket, readAnswer } from '../raw-socket.ts'
import { fill, manyCustomers } from './filled.ts'

// The kernel alone takes four megabytes of an answer: these have many more.

const database = ownSqlite()
const exports = { open: 0 }
let store: Store
let app: FastifyInstance
let url: URL

before(async () => {
  const settings = readSettings({ PORT: '0', DATABASE_URL: database.url, MAX_LOOP_DELAY: '60000' })
  store = await openStore(settings, (cause) => {
    throw cause
  })
  const watched: Store = { ...store, stream: (...asked) => counted(store.stream(...asked)) }
  app = buildServer(endpoints, serviceOver(watched, settings), pino({ level: 'error' }, pino.destination(2)))
  url = new URL(await app.listen({ port: 0 }))
  const name = 'x'.repeat(24_000)
  await fill(
    database,
    collections.customers,
    manyCustomers(1, 1000).map((row) => ({ ...row, name })),
  )
})
after(async () => {
  await app.close()
  await store.close()
  database.remove()
})

async function* counted(batches: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  exports.open++
  try {
    yield* batches
  } finally {
    exports.open--
  }
}

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n'

/** A client that asks and reads nothing, and the service's end of its connection. */
async function ask(request: string): Promise<{ readonly client: Socket; readonly held: Socket }> {
  const accepted = once(app.server, 'connection')
  const client = await openSocket(url)
  client.pause()
  const [held] = (await accepted) as [Socket]
  client.write(request)
  return { client, held }
}

async function isCutOff(request: string): Promise<void> {
  app.server.timeout = 100
  const { client, held } = await ask(request)
  await once(held, 'close')
  const failed = once(client, 'error')
  client.resume()
  const [cause] = (await failed) as [NodeJS.ErrnoException]
  assert.equal(cause.code, 'ECONNRESET')
}

test('a page that nobody takes is cut off', () => isCutOff(`GET /customers?maxpagesize=1000 ${HEAD}\r\n`))

test('an export that nobody takes is cut off, and its reader let go', async () => {
  await isCutOff(`GET /customers.ndjson ${HEAD}\r\n`)
  while (exports.open > 0) await pause(5)
})

test('a live stream that nobody takes is cut off', async () => {
  const post = (path: string, body: object) =>
    fetch(new URL(path, url), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  app.server.timeout = 60_000
  // Each of its events shows the whole deal, thirty kilobytes.
  const made = await post('/rest/v1/deals', { name: 'Roof', price: 1, description: '☃'.repeat(10_000) })
  const { id } = (await made.json()) as { readonly id: string }
  await Promise.all(Array.from({ length: 300 }, () => post(`/rest/v1/deals/${id}/notes`, { text: 'x' })))
  await isCutOff(`GET /events?after=${BEFORE_ALL} ${HEAD}Accept: text/event-stream\r\n\r\n`)
})

test('who is slow but gets on receives all of it', async () => {
  app.server.timeout = 1000
  const { client, held } = await ask(`GET /customers?maxpagesize=1000 ${HEAD}Connection: close\r\n\r\n`)
  let length = 0
  client.on('data', (bytes: Buffer) => {
    length += bytes.length
    client.pause()
    setTimeout(() => client.resume(), 8)
  })
  client.resume()
  await once(client, 'end')
  assert.equal(length, held.bytesWritten)
  assert.ok(length > 24e6)
})

test('an answer that takes long to be made is waited for', async () => {
  app.server.timeout = 100
  const lock = new DatabaseSync(database.url)
  lock.exec('BEGIN IMMEDIATE')
  const body = '{"name":"Roof","price":1}'
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const { client } = await ask(`POST /rest/v1/deals ${HEAD}${type}\r\n${body}`)
  const answer = readAnswer(client.resume())
  await pause(500)
  lock.exec('ROLLBACK')
  lock.close()
  assert.equal((await answer).status, 201)
  client.destroy()
})

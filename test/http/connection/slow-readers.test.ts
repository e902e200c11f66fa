import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { after, before, mock, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { readSettings } from '../../../src/config.ts'
import { cutOffSlowReaders } from '../../../src/http/connection/slow-readers.ts'
import { buildServer } from '../../../src/http/server/server.ts'
import { createService } from '../../../src/service/create-service.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { BEFORE_ALL } from '../../../src/values/kinds/sequence.ts'
import { fill, manyCustomers } from '../../support/database/filled.ts'
import { ownSqlite } from '../../support/database/own-database.ts'
import { collections } from '../../support/schema.ts'
import { openSocket, readAnswer } from '../../support/service/raw-socket.ts'
import { unhurried } from '../../support/service/unhurried.ts'
import { watchedDesk } from '../../support/things/watched-desk.ts'

// Real sockets, and a clock that moves when it is told to. The kernel alone takes four megabytes of an answer, so
// these have many more.

const database = ownSqlite()
let store: Store
let app: FastifyInstance
let url: URL
let exportsOpen = 0
let pagesRead = 0

before(async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const settings = readSettings({ PORT: '0', ...unhurried, DATABASE_URL: database.url })
  store = await openStore(settings, (cause) => {
    throw cause
  })
  const watched: Store = {
    ...store,
    as(caller) {
      const desk = store.as(caller)
      return watchedDesk(desk, {
        stream: (...asked) => counted(desk.stream(...asked)),
        textPage(...asked) {
          pagesRead++
          return desk.textPage(...asked)
        },
      })
    },
  }
  app = buildServer(endpointsOf, createService(watched, settings, pino({ level: 'error' }, pino.destination(2))))
  url = new URL(await app.listen({ port: 0 }))
  const name = 'x'.repeat(24_000)
  await fill(
    database,
    collections.customers,
    manyCustomers(1, 1000).map((row) => ({ ...row, name })),
  )
})
after(async () => {
  mock.timers.reset()
  await app.close()
  await store.close()
  database.remove()
})

async function* counted(batches: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  exportsOpen++
  try {
    yield* batches
  } finally {
    exportsOpen--
  }
}

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n'

interface Asked {
  readonly client: Socket
  /** The service's end of the connection. */
  readonly held: Socket
}

/** A client that asks and reads nothing. */
async function ask(request: string): Promise<Asked> {
  const accepted = once(app.server, 'connection')
  const client = await openSocket(url)
  client.pause()
  const [held] = (await accepted) as [Socket]
  client.write(request)
  return { client, held }
}

const untilIt = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Seconds go by, and between them whatever can be done is done. */
async function waitFor(seconds: number, isOver: () => boolean): Promise<number> {
  let gone = 0
  for (; gone < seconds && !isOver(); gone++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    mock.timers.tick(1000)
  }
  return gone
}

async function isCutOff(request: string): Promise<void> {
  const { client, held } = await ask(request)
  const waited = await waitFor(Number.POSITIVE_INFINITY, () => {
    // It may say something all the while.
    client.write('\r\n')
    return held.destroyed
  })
  assert.ok(waited > 60)
  const failed = once(client, 'error')
  client.resume()
  const [cause] = (await failed) as [NodeJS.ErrnoException]
  assert.equal(cause.code, 'ECONNRESET')
}

test('a page that nobody takes is cut off', () => isCutOff(`GET /customers?maxpagesize=1000 ${HEAD}\r\n`))

test('of many requests by a client that takes nothing one is worked on', async () => {
  pagesRead = 0
  await isCutOff(`GET /customers?maxpagesize=1000 ${HEAD}\r\n`.repeat(100))
  assert.equal(pagesRead, 1)
})

for (const format of ['ndjson', 'csv']) {
  test(`an export to ${format} that nobody takes is cut off, and its reader let go`, async () => {
    await isCutOff(`GET /customers.${format} ${HEAD}\r\n`)
    await untilIt(() => exportsOpen === 0)
  })
}

test('a live stream that nobody takes is cut off', async () => {
  const post = (path: string, body: object) =>
    fetch(new URL(path, url), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  // Each of its events shows the whole deal, thirty kilobytes.
  const made = await post('/rest/v1/deals', { name: 'Roof', price: 1, description: '☃'.repeat(10_000) })
  const { id } = (await made.json()) as { readonly id: string }
  await Promise.all(Array.from({ length: 220 }, () => post(`/rest/v1/deals/${id}/notes`, { text: 'x' })))
  await isCutOff(`GET /events?after=${BEFORE_ALL} ${HEAD}Accept: text/event-stream\r\n\r\n`)
})

// Progress within a large write is read from a private field of the socket, seen in Node 24 and 26.
test('a socket tells how much of a write its handle still holds', async () => {
  const { client, held } = await ask(`GET /customers?maxpagesize=1000 ${HEAD}\r\n`)
  await untilIt(() => held.writableLength > 0)
  const { _handle } = held as Socket & { readonly _handle: { readonly writeQueueSize: number } }
  assert.ok(_handle.writeQueueSize > 0)
  client.destroy()
})

test('there is little patience while too much is held for all', async () => {
  // Each of them holds a slice of its page, of some 50 kB.
  cutOffSlowReaders(app.server, 70e3)
  const page = `GET /customers?maxpagesize=1000 ${HEAD}\r\n`
  const first = await ask(page)
  await untilIt(() => first.held.writableLength > 0)
  await waitFor(10, () => first.held.destroyed)
  assert.equal(first.held.destroyed, false)
  const second = await ask(page)
  await untilIt(() => second.held.writableLength > 0)
  // Alone each of them would have a minute. Something may still go into the kernel's buffers.
  const stuck = (): string => [first, second].map(({ held }) => held.bytesWritten - held.writableLength).join()
  for (let looks = 0, before = ''; ![first, second].every(({ held }) => held.destroyed); looks++) {
    const now = stuck()
    if (now !== before) looks = 0
    before = now
    assert.ok(looks < 40)
    await waitFor(1, () => false)
  }
  for (const { client } of [first, second]) client.destroy()
})

test('who is slow but gets on receives all of it', async () => {
  const { client, held } = await ask(`GET /customers?maxpagesize=1000 ${HEAD}Connection: close\r\n\r\n`)
  let length = 0
  let looks = 0
  client.on('data', (bytes: Buffer) => {
    length += bytes.length
    // More than the kernel holds: some of what was read since the last look went out since then.
    if (length < (looks + 1) * 5e6) return
    looks++
    mock.timers.tick(60_000)
  })
  client.resume()
  await once(client, 'end')
  assert.equal(length, held.bytesWritten)
  assert.ok(length > 24e6 && looks >= 4)
})

test('an answer that takes long to be made is waited for', async () => {
  // The writer may still index what the tests above have written.
  const lock = new DatabaseSync(database.url, { timeout: 60_000 })
  lock.exec('BEGIN IMMEDIATE')
  const body = '{"name":"Roof","price":1}'
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const { client, held } = await ask(`POST /rest/v1/deals ${HEAD}${type}\r\n${body}`)
  await untilIt(() => held.bytesRead > 0)
  mock.timers.tick(180_000)
  const answer = readAnswer(client.resume())
  lock.exec('ROLLBACK')
  lock.close()
  assert.equal((await answer).status, 201)
  client.destroy()
})

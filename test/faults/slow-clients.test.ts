import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fill, manyCustomers } from '../support/database/filled.ts'
import { ownSqlite } from '../support/database/own-database.ts'
import { sized } from '../support/faults/scale.ts'
import { type Untroubled, untroubledService } from '../support/faults/service-here.ts'
import { collections } from '../support/schema.ts'
import { openSocket } from '../support/service/raw-socket.ts'

// All kinds of them at once, on one service, so that the longest of the waits is the only one.

const database = ownSqlite()
let service: Untroubled
let url: URL

before(async () => {
  service = await untroubledService(database.url)
  url = new URL(service.url)
  await fill(database, collections.customers, manyCustomers(1, sized(1000, 60_000)))
})
after(async () => {
  await service.stop()
  database.remove()
})

interface Kind {
  readonly name: string
  readonly count: number
  /** Seconds after which the service says it has closed each of them. */
  readonly within: number
  readonly begin: (socket: Socket) => void
  /** Sent once a second. */
  readonly drip?: string
  readonly reads?: boolean
  /** Whether the service writes anything before it closes. */
  readonly isAnswered?: boolean
}

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n'
const POST = `POST /rest/v1/deals ${HEAD}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
const kinds: readonly Kind[] = [
  {
    name: 'slow heads',
    count: sized(100, 1000),
    within: 5,
    begin: (socket) => socket.write('GET / HTTP/1.1\r\nX: '),
    drip: 'x',
    isAnswered: true,
  },
  // A browser opens spare connections, and would take what it finds on one for the answer to its next request.
  { name: 'silent', count: sized(100, 2000), within: 5, begin: () => {}, isAnswered: false },
  {
    name: 'idle after an answer',
    count: sized(20, 2000),
    within: 10,
    begin: (socket) => socket.write(`GET /health/live ${HEAD}\r\n`),
  },
  ...sized<readonly Kind[]>(
    [],
    [
      { name: 'slow bodies', count: 1000, within: 15, begin: (socket) => socket.write(POST), drip: ' ' },
      {
        name: 'readers that take nothing',
        count: 100,
        // A minute, from when the kernel's buffers are full.
        within: 80,
        begin: (socket) => socket.write(`GET /customers.ndjson ${HEAD}\r\n`),
        // What is sent into a connection that was cut off tells that it was.
        drip: '\r\n',
        reads: false,
      },
    ],
  ),
]

/** The service looks once a second, and a busy machine may be late; the short form only asks whether it closes them. */
const SLACK = sized(60, 5)

describe('slow clients do not stop others', () => {
  test('each of them is closed on time, while normal requests answer', async (t) => {
    let isOver = false
    const asking = askUntil(() => isOver)
    const closings = await Promise.all(kinds.map(holdOpen))
    isOver = true
    const { answers, slowest } = await asking
    for (const [index, { name, count }] of kinds.entries()) {
      const last = Math.max(...(closings[index] ?? []))
      t.diagnostic(`${count} ${name}: all closed, the last after ${last.toFixed(1)} s`)
    }
    t.diagnostic(`meanwhile ${answers} normal requests, all answered 200, the slowest in ${slowest.toFixed(0)} ms`)
    for (const [index, { name, within }] of kinds.entries()) {
      for (const seconds of closings[index] ?? []) assert.ok(seconds < within + SLACK, `${name}: ${seconds} s`)
    }
    assert.ok(answers > 10)
  })
})

/** Seconds until the service closed each. */
async function holdOpen(kind: Kind): Promise<readonly number[]> {
  const closings: Promise<number>[] = []
  for (let opened = 0; opened < kind.count; opened++) closings.push((await hold(kind)).closed)
  return Promise.all(closings)
}

async function hold({
  name,
  begin,
  drip,
  reads = true,
  isAnswered,
}: Kind): Promise<{ readonly closed: Promise<number> }> {
  const socket = await openSocket(url)
  const opened = performance.now()
  const dripping = setInterval(() => drip !== undefined && socket.write(drip), 1000)
  if (reads) socket.resume()
  else socket.pause()
  begin(socket)
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve, reject) => {
    socket.on('close', () => {
      clearInterval(dripping)
      if (isAnswered === !socket.bytesRead) reject(new Error(`${name}: ${socket.bytesRead} bytes came`))
      resolve((performance.now() - opened) / 1000)
    })
  })
  return { closed }
}

async function askUntil(isOver: () => boolean): Promise<{ readonly answers: number; readonly slowest: number }> {
  let answers = 0
  let slowest = 0
  while (!isOver()) {
    const started = performance.now()
    const answer = await fetch(new URL(answers % 2 === 0 ? '/customers/1' : '/customers?maxpagesize=10', url))
    assert.equal(answer.status, 200, await answer.text())
    slowest = Math.max(slowest, performance.now() - started)
    answers++
    await pause(sized(100, 20))
  }
  return { answers, slowest }
}

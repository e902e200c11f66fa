import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, afterEach, before, mock, test } from 'node:test'
import { answerInTurn } from '../../../src/http/connection/pipelining.ts'
import { afterMoment, cutOffSlowSenders, type StreamedRequest } from '../../../src/http/connection/slow-senders.ts'
import { openSocket, readAnswer } from '../../support/service/raw-socket.ts'

// Real sockets, and a clock that moves when it is told to.

const server = createServer((request, response) => {
  request.resume().once('end', () => response.end())
})
let url: URL
let clock = 0
let refused: (string | undefined)[] = []

before(async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  mock.method(performance, 'now', () => clock)
  answerInTurn(server)
  cutOffSlowSenders(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refused.push(error.code)
    socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterEach(() => {
  refused = []
})
after(() => {
  server.close()
  mock.timers.reset()
  mock.restoreAll()
})

/** The looks at all connections, `apart` milliseconds after each other. */
function look(times: number, apart = 1000): void {
  for (let n = 0; n < times; n++) {
    clock += apart
    mock.timers.tick(1000)
  }
}

/** A client that has sent a part of its body. */
async function sendHalf(): Promise<{ readonly client: Socket; readonly request: IncomingMessage }> {
  const arrived = once(server, 'request')
  const client = await openSocket(url)
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nha')
  const [request] = (await arrived) as [IncomingMessage]
  return { client, request }
}

test('who does not send the rest within fifteen seconds is refused', async () => {
  const { client } = await sendHalf()
  const ended = once(client, 'close')
  look(15)
  assert.deepEqual(refused, [])
  look(1)
  assert.deepEqual(refused, ['ERR_HTTP_REQUEST_TIMEOUT'])
  await ended
})

test('the time in which we were too busy to read does not count', async () => {
  const { client } = await sendHalf()
  look(1)
  look(100, 5000)
  assert.deepEqual(refused, [])
  client.write('lf')
  assert.equal((await readAnswer(client)).status, 200)
  client.destroy()
})

test('who is read as it comes may take as long as they like', async () => {
  const { client, request } = await sendHalf()
  const streamed: StreamedRequest = request
  streamed.isStreamed = true
  look(100)
  assert.deepEqual(refused, [])
  client.destroy()
})

test('a head that came while we stood still is read, and one that does not come is refused', async (t) => {
  // Node's own limit for a head, and how often it looks.
  const hurried = createServer({ headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 5 })
  hurried.on('request', (_, response) => void response.end())
  answerInTurn(hurried)
  let late = 0
  hurried.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    afterMoment(error, socket as Socket, () => {
      late++
      socket.destroy()
    }),
  )
  await once(hurried.listen(0, '127.0.0.1'), 'listening')
  t.after(() => hurried.close())
  const accepted = once(hurried, 'connection')
  const client = await openSocket(new URL(`http://127.0.0.1:${(hurried.address() as AddressInfo).port}`))
  await accepted
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP')
  assert.equal((await readAnswer(client)).status, 200)
  assert.equal(late, 0)
  await once(client, 'close')
  assert.equal(late, 1)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { openSocket } from '../../support/service/raw-socket.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n'

/** All of them in one packet; the last one says that it is. */
async function sendTogether(requests: readonly string[]): Promise<readonly string[]> {
  const socket = await openSocket(new URL(service.url))
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(`${requests.join('')}GET /health/live ${HEAD}Connection: close\r\n\r\n`)
  await once(socket, 'end')
  return text.split(/(?=HTTP\/1\.1 \d)/).slice(0, -1)
}

test('requests that are sent together take effect one after the other', async () => {
  const { id } = await openDeal(service)
  const requests = Array.from({ length: 20 }, (_, n) => {
    const body = JSON.stringify({ price: n + 1 })
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    return `PUT ${DEALS}/${id} ${HEAD}${headers}\r\n${body}GET ${DEALS}/${id} ${HEAD}\r\n`
  })
  const answers = await sendTogether(requests)
  const seen = answers.map((answer) => [/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1], /"price":(\d+)/.exec(answer)?.[1]])
  assert.deepEqual(
    seen,
    requests.flatMap((_, n) => [
      ['200', `${n + 1}`],
      ['200', `${n + 1}`],
    ]),
  )
})

test('who sends far more ahead than can be answered is cut off', async () => {
  const socket = await openSocket(new URL(service.url))
  const live = `GET /events ${HEAD}Accept: text/event-stream\r\n\r\n`
  socket.on('error', () => {})
  // Behind a live stream nothing has its turn.
  socket.write(live + `GET /health/live ${HEAD}\r\n`.repeat(5000))
  await new Promise((resolve) => socket.resume().once('close', resolve))
  assert.equal((await service.request('GET', '/health/live')).status, 200)
})

test('one that is refused does not hold up those behind it', async () => {
  const answers = await sendTogether([
    `GET /customers/1 ${HEAD}\r\n`,
    `HEAD /customers ${HEAD}\r\n`,
    `POST /customers ${HEAD}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx`,
    `GET /customers ${HEAD}\r\n`,
  ])
  assert.deepEqual(
    answers.map((answer) => answer.slice(9, 12)),
    ['404', '200', '415', '200'],
  )
})

test('who sends too large a body reads that, and can go on', async () => {
  const body = 'x'.repeat(4_000_000)
  const head = `POST /customers ${HEAD}Content-Type: application/json\r\n`
  const answers = await sendTogether([
    `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `GET /customers ${HEAD}\r\n`,
  ])
  assert.deepEqual(
    answers.map((answer) => answer.slice(9, 12)),
    ['413', '413', '200'],
  )
})

/** All that comes back until the connection ends. */
async function allOf(sent: string, then?: { readonly after: RegExp; readonly send: string }): Promise<string> {
  const socket = await openSocket(new URL(service.url))
  let text = ''
  let left = then
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (left?.after.test(text)) {
      socket.write(left.send)
      left = undefined
    }
  })
  socket.on('error', () => {})
  socket.write(sent)
  await once(socket, 'close')
  return text
}

test('a request that is refused for its framing gets one answer', async () => {
  const text = await allOf(`POST /customers ${HEAD}Transfer-Encoding: gzip\r\n\r\n`)
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 501'])
})

test('what is no request ends an answer that is on its way, and is not told in the middle of it', async () => {
  const live = `GET /events ${HEAD}Accept: text/event-stream\r\n\r\n`
  const text = await allOf(live, { after: /retry:/, send: 'NO HTTP\r\n\r\n' })
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200'])
})

test('what is no request is told after an answer that has left', async () => {
  const text = await allOf(`GET /health/live ${HEAD}\r\n`, { after: /"ok"/, send: 'NO HTTP\r\n\r\n' })
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test('what is no request is told after the answers to what was sent before it', async () => {
  const body = JSON.stringify({ name: 'Behind it is nothing', price: 1 })
  const creation = `POST ${DEALS}/ ${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const text = await allOf(`${creation}${creation}NO HTTP\r\n\r\n`)
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 400'])
})

test('a request that breaks off in its turn is not told in the place of the one before it', async () => {
  const body = JSON.stringify({ name: 'Behind it is half a request', price: 1 })
  const creation = `POST ${DEALS}/ ${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const broken = `POST ${DEALS}/ ${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`
  const text = await allOf(creation + broken, { after: /"links"/, send: 'more' })
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 201', 'HTTP/1.1 400'])
})

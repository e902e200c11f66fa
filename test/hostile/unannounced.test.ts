import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, suite, test } from 'node:test'
import { bodyBounds } from '../../src/values/bounds.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import { openSocket, type RawAnswer, readAnswer } from '../support/service/raw-socket.ts'

// A body of no announced length is read as far as it may go, and refused there, whatever else would come.

let service: ClosedService
before(async () => {
  service = await runClosedService()
})

after(() => service.close())

const JSON_TYPE = 'application/json'
const bodies: readonly (readonly [path: string, type: string, method?: string])[] = [
  ['/rest/v1/deals', JSON_TYPE],
  ['/rest/v1/deals', 'application/x-www-form-urlencoded'],
  ['/rest/v1/deals', JSON_TYPE, 'QUERY'],
  ['/rest/v1/deals/x', 'application/merge-patch+json', 'PATCH'],
  ['/rest/v1/batch', JSON_TYPE],
  ['/rest/commands', JSON_TYPE],
  ['/views', JSON_TYPE],
  ['/sign-in', 'application/x-www-form-urlencoded'],
  ['/graphql', JSON_TYPE],
  ['/jsonapi/deals', 'application/vnd.api+json'],
  ['/jsonapi/operations', 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'],
  ['/odata/Deals', JSON_TYPE],
  ['/odata/$batch', JSON_TYPE],
  ['/postgrest/deals', JSON_TYPE],
  ['/rpc', JSON_TYPE],
  ['/mcp', JSON_TYPE],
]

/** Sockets and the kernel hold some of what is sent. */
const HELD = 16 * 2 ** 20
const SOME = 65_536

suite('a body that never ends is refused at its bound:', () => {
  for (const [path, type, method = 'POST'] of bodies) {
    test(`${method} ${path} of ${type}`, async () => {
      // What is first used is loaded then, while all that comes is read and dropped.
      const headers = { 'content-type': type, ...bearer(service.keys.editor) }
      await fetch(service.url + path, { method, headers, body: '{}', redirect: 'manual' })
      const { answer, sent } = await sendEndlessly(method, path, type)
      assert.equal(answer.status, 413, answer.body)
      assert.ok(sent < bodyBounds.bytes + HELD, `${sent} bytes were taken`)
    })
  }
})

async function sendEndlessly(method: string, path: string, type: string) {
  const socket = await openSocket(new URL(service.url))
  let answer: RawAnswer | undefined
  const answering = readAnswer(socket).then((read) => {
    answer = read
  })
  const { authorization } = bearer(service.keys.editor)
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${authorization}`]
  socket.write([...head, `Content-Type: ${type}`, 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
  const chunk = Buffer.concat([Buffer.from(`${SOME.toString(16)}\r\n`), Buffer.alloc(SOME, ' '), Buffer.from('\r\n')])
  let sent = 0
  for (; answer === undefined && sent < 4 * HELD; sent += SOME)
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answering])
  await answering
  socket.destroy()
  assert.ok(answer !== undefined)
  return { answer: answer as RawAnswer, sent }
}

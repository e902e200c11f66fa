import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { before } from 'node:test'
import { readLines } from '../../../src/http/endpoints/batches/lines.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, bearer, runClosedService } from '../../support/service/closed-service.ts'
import { quickHash } from '../../support/service/quick-hash.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Shown, TestService } from '../../support/service/running-service.ts'
import { signedIn } from '../../support/service/signing-in.ts'
import { putUser } from '../../support/things/audited.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

interface Line {
  readonly index: number
  readonly line: number
  readonly status: string
  readonly dependsOn?: number
  readonly deal?: Shown
  readonly problem?: Shown
}

function open(query = '', headers: object = {}, at: TestService = service): ClientRequest {
  const url = new URL(`/rest/commands${query}`, at.url)
  return httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/x-ndjson', ...headers } })
}

async function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

/** Sends everything, and reads every line back. */
async function stream(lines: readonly unknown[], query = '', headers: object = {}): Promise<readonly Line[]> {
  const sent = open(query, headers)
  sent.end(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  const answer = await answerTo(sent)
  assert.equal(answer.statusCode, 200)
  const read: Line[] = []
  for await (const line of createInterface({ input: answer })) read.push(JSON.parse(line))
  return read
}

const newDeal = (id?: string) => ({
  ...(id !== undefined && { id }),
  action: 'CreateDeal',
  params: { name: 'Roof', price: 1 },
})
const paid = (deal: string, id?: string) => ({
  ...(id !== undefined && { id }),
  deal,
  action: 'RecordDealPayment',
  params: { amount: 1 },
})
const shown = async (id: string): Promise<Shown> => (await service.request('GET', `/rest/v1/deals/${id}`)).body

testOnEachStore('each line is answered in order, and a bad one keeps no other from it', async () => {
  const lines = [
    newDeal(),
    '',
    '{"action":',
    { deal: '$0', action: 'HoldDeal', params: {} },
    { deal: '$1', action: 'HoldDeal', params: { reason: 'x' } },
    { deal: '$0', action: 'HoldDeal', params: { reason: 'x' } },
    `{"action":"${'x'.repeat(1_048_576)}"}`,
    { deal: '$0', action: 'UnholdDeal' },
  ]
  const read = await stream(lines)
  assert.deepEqual(
    read.map(({ index, line, status, problem }) => [index, line, problem?.code ?? status]),
    [
      [0, 1, 'applied'],
      [1, 3, 'malformed-body'],
      [2, 4, 'invalid-body'],
      [3, 5, 'not-tried'],
      [4, 6, 'applied'],
      [5, 7, 'body-too-large'],
      [6, 8, 'applied'],
    ],
  )
  assert.deepEqual(read[2]?.problem?.errors[0]?.pointer, '/params/reason')
  assert.equal(read[3]?.dependsOn, 1)
  assert.equal(read.at(-1)?.deal?.revision, 3)
})

test('a line of whitespace alone is no command, however long it is', async () => {
  const lines = [' '.repeat(15), newDeal(), ' '.repeat(16), '\t \r'.repeat(1000), newDeal()]
  for (const query of ['', '?dry-run=true']) {
    const read = await stream(lines, query)
    assert.deepEqual(
      read.map(({ index, line, status }) => [index, line, status]),
      [
        [0, 2, 'applied'],
        [1, 5, 'applied'],
      ],
    )
  }
})

testOnEachStore('a line is answered before the next is sent, and its command is durable then', async () => {
  const sent = open()
  const answered = answerTo(sent)
  sent.write(`${JSON.stringify(newDeal())}\n`)
  const lines = createInterface({ input: await answered })[Symbol.asyncIterator]()
  const first: Line = JSON.parse((await lines.next()).value ?? '')
  const id = first.deal?.id ?? ''
  assert.equal((await shown(id)).revision, 1)
  sent.end(JSON.stringify(paid('$0')))
  assert.equal((JSON.parse((await lines.next()).value ?? '') as Line).deal?.paid, 1)
  assert.equal((await lines.next()).done, true)
})

testOnEachStore('the same stream again changes nothing where lines have ids', async () => {
  const lines = [newDeal('stream-0'), ...Array.from({ length: 400 }, (_, n) => paid('$0', `stream-${n + 1}`))]
  const first = await stream(lines)
  const again = await stream(lines)
  assert.deepEqual(again, first)
  assert.deepEqual([first.length, first.at(-1)?.deal?.paid], [401, 400])
  assert.equal((await shown(first[0]?.deal?.id ?? '')).paid, 400)
})

testOnEachStore('a reference reaches a thousand commands back, and says so', async () => {
  const [made] = await stream([newDeal()])
  const between = Array.from({ length: 1200 }, () => paid(made?.deal?.id ?? ''))
  const read = await stream([newDeal(), ...between, paid('$0'), paid('$5000')], '', { prefer: 'return=minimal' })
  assert.deepEqual(
    read.slice(-2).map(({ problem }) => problem?.errors[0]?.detail),
    ['names command 0, which is too far back', 'names command 5000, which does not come before this one'],
  )
})

testOnEachStore('two streams on one deal take turns', async () => {
  const [made] = await stream([newDeal()])
  const id = made?.deal?.id ?? ''
  const both = await Promise.all([1, 2].map(() => stream(Array.from({ length: 300 }, () => paid(id)))))
  for (const lines of both) {
    const revisions = lines.map(({ deal }) => deal?.revision ?? 0)
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    )
  }
  assert.equal((await shown(id)).revision, 601)
})

test('under a key line n has the id key.n; a dry run stores nothing; minimal answers are short', async () => {
  const lines = [newDeal(), paid('$0')]
  const first = await stream(lines, '', { 'idempotency-key': 'nightly' })
  assert.deepEqual(await stream(lines, '', { 'idempotency-key': 'nightly' }), first)
  assert.equal((await service.request('GET', '/rest/commands/nightly.1')).body.action, 'RecordDealPayment')
  const tried = await stream([paid(first[0]?.deal?.id ?? '')], '?dry-run=true')
  assert.equal(tried[0]?.deal?.paid, 2)
  assert.equal((await shown(first[0]?.deal?.id ?? '')).paid, 1)
  const minimal = await stream([newDeal()], '', { prefer: 'return=minimal' })
  assert.deepEqual(minimal, [{ line: 1, index: 0, status: 'applied' }])
  for (const [headers, applied] of [
    [{ prefer: 'return=minimal' }, 'return=minimal'],
    [{}, undefined],
  ] as const) {
    const sent = open('', headers)
    sent.end(JSON.stringify(newDeal()))
    const answer = await answerTo(sent)
    assert.equal(answer.headers['preference-applied'], applied)
    answer.resume()
  }
})

testOnEachStore('a dry run is decided as one, however its lines arrive', async () => {
  const [held] = await stream([newDeal()])
  const deal = held?.deal?.id ?? ''
  const lines = [
    { action: 'CreateCustomer', params: { name: 'Tried' } },
    { deal, action: 'HoldDeal', params: { reason: 'x' } },
    { action: 'CreateDeal', params: { name: 'Roof', price: 1, customerId: '$0' } },
    { deal, action: 'UnholdDeal' },
    { customer: '$0', action: 'ChangeCustomer', params: { age: 40 } },
  ]
  const sent = open('?dry-run=true')
  const answered = answerTo(sent)
  for (const line of lines) {
    sent.write(`${JSON.stringify(line)}\n\n`)
    // Has the number that the dry run gave to its own. Its answer comes when the line has been read.
    await service.request('POST', '/customers', { body: { name: 'Somebody else' } })
  }
  sent.end()
  const read: Shown[] = []
  for await (const line of createInterface({ input: await answered })) read.push(JSON.parse(line))
  assert.deepEqual(
    read.map(({ index, line, status }) => [index, line, status]),
    lines.map((_, index) => [index, 2 * index + 1, 'applied']),
  )
  assert.partialDeepStrictEqual(read.at(-1)?.customer, { name: 'Tried', age: 40 })
  assert.equal((await shown(deal)).revision, 1)
})

test('a dry run has as many commands and bytes as a batch, and says where it ended', async () => {
  const lines = Array.from({ length: 1001 }, () => newDeal())
  const read = await stream(['', ...lines], '?dry-run=true', { prefer: 'return=minimal' })
  assert.equal(read.length, 1001)
  assert.ok(read.slice(0, 1000).every(({ status }) => status === 'applied'))
  assert.partialDeepStrictEqual(read.at(-1), { index: 1000, line: 1002, status: 'not-tried' })
  assert.match(read.at(-1)?.problem?.detail ?? '', /^A dry run has at most 1000 commands and 1048576 bytes/)
  const long = JSON.stringify(newDeal()) + ' '.repeat(600_000)
  const ended = await stream([long, long, newDeal()], '?dry-run=true')
  assert.deepEqual(
    ended.map(({ index, line, problem }) => [index, line, problem?.code]),
    [
      [0, 1, undefined],
      [1, 2, 'body-too-large'],
    ],
  )
  const one = await stream([JSON.stringify(newDeal()).padEnd(1_048_576)], '?dry-run=true')
  assert.deepEqual(
    one.map(({ problem, status }) => problem?.code ?? status),
    ['applied'],
  )
})

testOnEachStore('a client that breaks off leaves whole lines alone', async () => {
  const sent = open()
  const answered = answerTo(sent)
  sent.write(`${JSON.stringify(newDeal('broken-off'))}\n{"id":"half","action":"CreateDeal"`)
  const lines = createInterface({ input: await answered })[Symbol.asyncIterator]()
  await lines.next()
  sent.on('error', () => {})
  sent.destroy()
  assert.equal((await service.request('GET', '/rest/commands/broken-off')).status, 200)
  assert.equal((await service.request('GET', '/rest/commands/half')).status, 404)
})

test('a sender who is no longer let in, or may do less, is told so at the next line', async (t) => {
  const closed = await runClosedService()
  t.after(() => closed.close())
  const admin = (method: string, path: string, body?: object) =>
    closed.request(method, path, { headers: basic('admin'), ...(body && { body }) })
  const keyOf = async (user: string) =>
    String((await admin('POST', `/users/${user}/keys`, { name: `key of ${user}`, role: 'editor' })).body.secret)
  const ends: readonly [object, () => Promise<unknown>, string][] = [
    [bearer(await keyOf('editor')), () => admin('DELETE', '/users/editor/keys/key%20of%20editor'), 'unauthorized'],
    [bearer(await keyOf('admin')), () => admin('DELETE', '/users/admin/keys/key%20of%20admin'), 'unauthorized'],
    [await signedIn(closed, 'editor'), () => admin('DELETE', '/users/editor/sessions'), 'unauthorized'],
    [basic('editor'), () => admin('PATCH', '/users/editor', { role: 'reader' }), 'forbidden'],
    [basic('editor'), () => admin('PATCH', '/users/editor', { disabled: true }), 'unauthorized'],
  ]
  for (const [headers, end, code] of ends) {
    await admin('PATCH', '/users/editor', { role: 'editor' })
    const sent = open('', headers, closed)
    const answered = answerTo(sent)
    sent.write(`${JSON.stringify(newDeal())}\n`)
    const lines = createInterface({ input: await answered })[Symbol.asyncIterator]()
    const next = async (): Promise<Line> => JSON.parse((await lines.next()).value ?? '')
    assert.equal((await next()).status, 'applied')
    await end()
    sent.write(`${JSON.stringify(newDeal())}\n`)
    const last = await next()
    assert.deepEqual([last.index, last.line, last.status, last.problem?.code], [1, 2, 'not-tried', code])
    assert.equal((await lines.next()).done, true)
    sent.destroy()
  }
  assert.equal((await admin('GET', '/rest/v1/deals')).body.items?.length, ends.length)
})

test('what a sender may do follows their role', async (t) => {
  const closed = await runClosedService()
  t.after(() => closed.close())
  await putUser(closed.store, { name: 'second', role: 'admin', hash: quickHash('password of second') })
  const { body } = await closed.request('POST', '/customers', {
    headers: basic('admin'),
    body: { name: 'Ann', age: 30 },
  })
  const sent = open('', basic('second'), closed)
  const answered = answerTo(sent)
  sent.write(`${JSON.stringify(newDeal())}\n`)
  const lines = createInterface({ input: await answered })[Symbol.asyncIterator]()
  await lines.next()
  await closed.request('PATCH', '/users/second', { headers: basic('admin'), body: { role: 'editor' } })
  sent.end(`${JSON.stringify({ customer: body.id, action: 'DeleteCustomer' })}\n${JSON.stringify(newDeal())}\n`)
  const [refused, made] = [await lines.next(), await lines.next()].map(({ value }) => JSON.parse(value ?? '') as Line)
  assert.deepEqual([refused?.problem?.code, made?.status], ['forbidden', 'applied'])
})

test('other types and charsets are refused', async () => {
  const headers = { 'content-type': 'application/x-ndjson; charset=iso-8859-1' }
  const asLatin = await service.request('POST', '/rest/commands', { body: '{"action":"CreateCustomer"}', headers })
  assert.deepEqual([asLatin.status, asLatin.headers['accept-post']], [415, 'application/x-ndjson'])
  const asJson = await service.request('POST', '/rest/commands', { body: newDeal() })
  assert.deepEqual([asJson.status, asJson.headers['accept-post']], [415, 'application/x-ndjson'])
  assert.equal((await service.request('POST', '/rest/commands', { body: '', headers: {} })).status, 200)
  const elsewhere = { 'content-type': 'application/x-ndjson' }
  assert.equal((await service.request('POST', '/customers', { body: '{}{}{}{}{}', headers: elsewhere })).status, 415)
})

test('blank lines are counted and nothing else', async () => {
  const megabytes = Array.from({ length: 8 }, () => Buffer.alloc(2 ** 20, '\n'))
  const spaced = Buffer.from(' \r\n\t\n  {"action":"x"} \r\n \n{')
  const found = await Array.fromAsync(readLines(Readable.from([...megabytes, spaced, Buffer.from('}')]), 1000))
  assert.deepEqual(
    found.flat().map(({ line, text }) => [line - 8 * 2 ** 20, String(text)]),
    [
      [3, '{"action":"x"} \r'],
      [5, '{}'],
    ],
  )
})

test('of thousands of lines that arrive at once some are read at a time, so that others have their turn', async (t) => {
  const LINES = 20_000
  const parse = t.mock.method(JSON, 'parse')
  const atOnce: number[] = []
  let watching = setImmediate(function look() {
    atOnce.push(parse.mock.callCount())
    parse.mock.resetCalls()
    watching = setImmediate(look)
  })
  t.after(() => clearImmediate(watching))
  const sent = open()
  sent.end('[\n'.repeat(LINES))
  let answered = 0
  for await (const bytes of await answerTo(sent)) answered += (bytes as Buffer).toString().split('\n').length - 1
  assert.equal(answered, LINES)
  assert.ok(Math.max(...atOnce) < LINES / 4, `${Math.max(...atOnce)} lines were read in one turn`)
})

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addUser } from '../../src/access/as-operator.ts'
import { basic } from '../support/service/closed-service.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'

interface Exported {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[]
  readonly status?: { readonly code: number }
}

/** A collector for OTLP in JSON. It is not ready at first: what was sent then comes again. */
const spans: Exported[] = []
const heads: IncomingHttpHeaders[] = []
const received: IncomingHttpHeaders[] = []
let refusals = 1
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.url === '/hook') {
    received.push(request.headers)
    return response.end()
  }
  assert.equal(request.url, '/v1/traces')
  heads.push(request.headers)
  if (refusals-- > 0) return response.writeHead(503).end()
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
  assert.equal(resourceSpans[0].resource.attributes[0].value.stringValue, 'desk')
  spans.push(...resourceSpans[0].scopeSpans[0].spans)
  response.end('{}')
})

let service: FeedService
let address: string
before(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as { port: number }
  address = `http://127.0.0.1:${port}`
  service = await runFeedService({
    OTEL_EXPORTER_OTLP_ENDPOINT: address,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret',
    OTEL_SERVICE_NAME: 'desk',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
})
after(async () => {
  await service.close()
  collector.close()
})

async function spansOf(traceId: string, count: number): Promise<readonly Exported[]> {
  for (;;) {
    const found = spans.filter((span) => span.traceId === traceId)
    if (found.length >= count) return found
    await pause(20)
  }
}

const attributesOf = ({ attributes }: Exported): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    attributes.map(({ key, value: { intValue, stringValue } }) => [key, stringValue ?? Number(intValue)]),
  )

const traceId = 'ab'.repeat(16)

test('a request continues the trace of its sender, and what the store does is part of it', async () => {
  const deal = await service.createDeal()
  const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`
  const headers = { traceparent, tracestate: 'vendor=1' }
  const held = await service.send('PUT', `/rest/v1/deals/${deal}/hold`, { reason: 'x' }, headers)
  // Health is asked for every second, and tells nothing.
  await service.send('GET', '/health/live', undefined, headers)
  assert.equal(held.status, 200)
  const found = await spansOf(traceId, 2)
  const server = found.find(({ kind }) => kind === 2)
  assert.equal(server?.name, 'PUT /rest/v1/deals/:id/hold')
  assert.equal(server?.parentSpanId, 'cd'.repeat(8))
  assert.ok(server)
  assert.partialDeepStrictEqual(attributesOf(server), {
    'http.response.status_code': 200,
    'dealdesk.request_id': held.headers.get('request-id'),
    'url.path': `/rest/v1/deals/${deal}/hold`,
  })
  assert.equal(server?.traceState, 'vendor=1')
  assert.deepEqual(
    spans.filter(({ name }) => name.includes('/health')),
    [],
  )
  const performed = found.find(({ name }) => name === 'store.perform')
  assert.equal(performed?.parentSpanId, server?.spanId)
  assert.ok(performed !== undefined && performed.startTimeUnixNano <= performed.endTimeUnixNano)
  assert.match(performed.startTimeUnixNano, /^\d{19}$/)
  assert.partialDeepStrictEqual(attributesOf(performed), {
    'db.collection.name': 'deal',
    'dealdesk.waiting': 0,
  })
  assert.equal(performed.attributes[0]?.key, 'db.system.name')
  assert.equal(heads[0]?.['api-key'], 'a secret')
})

test('the reads of a search tell their collections and rows, so that they can be told apart', async () => {
  await service.createDeal()
  const searched = 'ac'.repeat(16)
  const answer = await service.send('GET', '/search?q=deal', undefined, {
    traceparent: `00-${searched}-${'cd'.repeat(8)}-01`,
  })
  assert.equal(answer.status, 200)
  const found = (await spansOf(searched, 5)).filter(({ name }) => name === 'store.page').map(attributesOf)
  const named = new Set(found.map((each) => each['db.collection.name']))
  assert.deepEqual(
    ['customers', 'deals', 'tasks'].filter((each) => !named.has(each)),
    [],
  )
  const counts = found.map((each) => Number(each['db.response.returned_rows']))
  assert.ok(counts.includes(0) && counts.some((count) => count > 0), counts.join())
})

test('the gate, the comparison of a password and a door are parts of a request', async (t) => {
  const own = await runFeedService({ OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_SERVICE_NAME: 'desk' })
  t.after(() => own.close())
  await addUser(own.store, { name: 'ann', role: 'reader', password: 'a long password of ann' })
  const asked = 'ad'.repeat(16)
  const headers = { traceparent: `00-${asked}-${'cd'.repeat(8)}-01`, ...basic('ann', 'a long password of ann') }
  const body = { jsonrpc: '2.0', id: 1, method: 'deal.list', params: {} }
  // Another instance learns of the first user within a second.
  while ((await own.send('GET', '/rest/v1/deals')).status !== 401) await pause(20)
  await own.send('POST', '/rpc', body, headers)
  const found = await spansOf(asked, 4)
  const server = found.find(({ kind }) => kind === 2)
  const [gate, door] = ['gate', 'door rpc'].map((named) => found.find(({ name }) => name === named))
  assert.ok(server && gate && door)
  assert.deepEqual([gate.parentSpanId, door.parentSpanId], [server.spanId, server.spanId])
  const compared = found.find(({ name }) => name === 'argon2')
  assert.ok(compared)
  assert.equal(compared.parentSpanId, gate.spanId)
  assert.equal(attributesOf(compared)['dealdesk.waiting'], 0)
})

test('a trace that its sender does not keep is not kept here', async () => {
  const dropped = 'ef'.repeat(16)
  await service.send('GET', '/rest/v1/deals', undefined, { traceparent: `00-${dropped}-${'cd'.repeat(8)}-00` })
  const kept = '12'.repeat(16)
  await service.send('GET', '/rest/v1/deals', undefined, { traceparent: `00-${kept}-${'cd'.repeat(8)}-01` })
  await spansOf(kept, 1)
  assert.deepEqual(
    spans.filter((span) => span.traceId === dropped),
    [],
  )
})

test('a broken traceparent begins a trace of its own', async () => {
  const answer = await service.send('GET', '/rest/v1/deals', undefined, { traceparent: '00-zz-1-01' })
  assert.equal(answer.status, 200)
})

test('a delivery is traced, and its receiver can continue the trace', async () => {
  const made = await service.send('POST', '/webhooks', { url: `${address}/hook` })
  assert.equal(made.status, 201)
  await service.createDeal()
  while (received.length === 0) await pause(20)
  const [, delivered = ''] = /^00-([\da-f]{32})-[\da-f]{16}-01$/.exec(String(received[0]?.traceparent)) ?? []
  const [span] = await spansOf(delivered, 1)
  assert.deepEqual([span?.name, span?.kind], ['deliver', 3])
})

test('a collector that does not answer does not hold up the stop', async (t) => {
  let asked = 0
  let left = 0
  const silent = createServer((request) => {
    asked++
    request.socket.once('close', () => left++)
    request.resume()
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close().closeAllConnections())
  const { port } = silent.address() as { port: number }
  const own = await runFeedService({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  await own.send('GET', '/rest/v1/deals')
  while (asked === 0) await pause(20)
  await own.close()
  assert.equal(left, 0, 'it was waited for until it was given up')
})

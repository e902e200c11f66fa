import assert from 'node:assert/strict'
import { get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { brotliDecompressSync, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { drawn } from '../../support/inputs/drawn.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Asking, runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
let deal: string
before(async () => {
  service = await runService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  deal = (await openDeal(service)).id
  await service.request('PUT', `${DEALS}/${deal}/describe`, { body: { description: 'long '.repeat(400) } })
  for (let n = 0; n < 30; n++) await service.request('POST', '/customers', { body: { name: `Ana ${n}` } })
})
after(() => service.close())

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const
type Coding = keyof typeof decoders
const codings = Object.keys(decoders) as Coding[]

interface Raw {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  /** As a client understands it. */
  readonly text: string
}

/** The bytes as they came, which the usual client of the tests takes for text. */
function ask(path: string, headers: Asking['headers'] = {}, method = 'GET', body = ''): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${service.url}${path}`, { method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      const coding = response.headers['content-encoding'] as Coding | undefined
      const text = String(coding === undefined || bytes.length === 0 ? bytes : decoders[coding](bytes))
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text })
    })
    request.on('error', reject).end(body)
  })
}

suite('compression', () => {
  test('of every large answer by what the client accepts', async () => {
    for (const [nth, path] of [
      `${DEALS}/${deal}`,
      `${DEALS}/${deal}.xml`,
      `${DEALS}/${deal}.html`,
      '/customers',
      '/customers.csv',
      '/customers.ndjson',
      '/openapi.json',
      '/docs',
      '/docs/hold',
      '/style.css',
      '/app.js',
      '/metrics',
      '/problems',
    ].entries()) {
      const plain = await ask(path)
      const varies = `Accept, Accept-Encoding${plain.headers['content-type']?.startsWith('text/html') ? ', Accept-Language' : ''}`
      assert.equal(plain.headers['content-encoding'], undefined, path)
      assert.equal(plain.headers.vary, varies, path)
      for (const coding of drawn(codings, nth)) {
        const answer = await ask(path, { 'accept-encoding': coding })
        assert.equal(answer.headers['content-encoding'], coding, path)
        assert.equal(answer.headers.vary, varies, path)
        assert.equal(answer.headers['content-type'], plain.headers['content-type'])
        if (!/metrics|html$/.test(path)) assert.equal(answer.text, plain.text, path)
        assert.ok(answer.bytes.length < plain.bytes.length, path)
      }
    }
  })

  test('of problems too, and not of what is small', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`unknown${n}`, n])))
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' }
    const refused = await ask('/customers', headers, 'POST', many)
    assert.deepEqual([refused.status, refused.headers['content-encoding']], [422, 'gzip'])
    assert.equal(JSON.parse(refused.text).code, 'invalid-body')
    const small = await ask('/health/live', { 'accept-encoding': 'gzip' })
    assert.deepEqual([small.headers['content-encoding'], small.text], [undefined, '{"status":"ok"}'])
  })

  test('in the coding that is liked best', async () => {
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['GZIP', 'gzip'],
      ['x-gzip', 'gzip'],
      ['*', 'zstd'],
      ['*;q=0.5, zstd;q=0', 'br'],
      ['identity, gzip;q=0.5', undefined],
      ['identity;q=0.5, gzip', 'gzip'],
      ['identity;q=0', undefined],
      ['gzip;q=0', undefined],
      ['gzip;q=nonsense', undefined],
      ['deflate', undefined],
      ['', undefined],
    ] as const) {
      const { headers } = await ask('/customers', { 'accept-encoding': accepted })
      assert.equal(headers['content-encoding'], coding, accepted)
    }
  })

  test('gives each coding a strong tag of its own, which If-Match accepts', async () => {
    const path = `${DEALS}/${deal}`
    const tags = new Set<string>()
    for (const headers of [{}, ...codings.map((coding) => ({ 'accept-encoding': coding }))]) {
      const { headers: got } = await ask(path, headers)
      const tag = String(got.etag)
      assert.match(tag, /^"/)
      tags.add(tag)
      const again = await ask(path, { ...headers, 'if-none-match': tag })
      assert.deepEqual([again.status, again.headers.etag, again.bytes.length], [304, tag, 0])
      assert.deepEqual([again.headers['content-length'], again.headers['content-encoding']], [undefined, undefined])
      assert.equal(again.headers.vary, got.vary)
      const since = await ask(path, { ...headers, 'if-none-match': '*' })
      assert.deepEqual([since.status, since.headers.etag], [304, tag])
      const write = { 'content-type': 'application/json', 'if-match': tag }
      assert.equal((await ask(`${path}/add-note?dry-run=true`, write, 'PUT', '{"text":"x"}')).status, 200)
    }
    assert.equal(tags.size, 4)
    const other = await ask(path, { 'accept-encoding': 'gzip', 'if-none-match': [...tags][0] ?? '' })
    assert.equal(other.status, 200)
  })

  for (const [door, path, formats] of [
    [
      'odata',
      (id: string) => `/odata/Deals(${id})`,
      ['', ';odata.metadata=none', ';IEEE754Compatible=true', ';odata.metadata=none;IEEE754Compatible=true'].map(
        (parameters) => `application/json${parameters}`,
      ),
    ],
    ['jsonapi', (id: string) => `/jsonapi/deals/${id}`, ['application/vnd.api+json']],
    [
      'postgrest',
      (id: string) => `/postgrest/deals?id=eq.${id}`,
      ['', ';nulls=stripped'].map((parameters) => `application/vnd.pgrst.object+json${parameters}`),
    ],
  ] as const) {
    test(`gives each coding and format a strong tag of its own in ${door}, which If-Match accepts`, async () => {
      const tags = new Set<string>()
      for (const accept of formats) {
        for (const coding of ['identity', ...codings]) {
          const headers = { accept, 'accept-encoding': coding }
          const { headers: got } = await ask(path(deal), headers)
          assert.equal(got['content-encoding'] ?? 'identity', coding)
          const tag = String(got.etag)
          assert.match(tag, /^"/)
          const again = await ask(path(deal), { ...headers, 'if-none-match': tag })
          assert.deepEqual([again.status, again.headers.etag, again.bytes.length], [304, tag, 0])
          for (const other of drawn([...tags], tags.size))
            assert.equal((await ask(path(deal), { ...headers, 'if-none-match': other })).status, 200)
          tags.add(tag)
          const write = { 'content-type': 'application/json', 'if-match': tag }
          assert.equal((await ask(`${DEALS}/${deal}/add-note?dry-run=true`, write, 'PUT', '{"text":"x"}')).status, 200)
        }
      }
      assert.equal(tags.size, formats.length * (1 + codings.length))
    })
  }

  test('of an answer of OData to a write has the tag that a following GET has', async () => {
    const path = `/odata/Deals(${deal})`
    const headers = { 'accept-encoding': 'br', 'content-type': 'application/json' }
    const written = await ask(path, headers, 'PATCH', '{"name":"Shed"}')
    const read = await ask(path, { 'accept-encoding': 'br' })
    assert.deepEqual([written.headers['content-encoding'], written.headers.etag], ['br', read.headers.etag])
    const request = { id: '1', method: 'GET', url: path, headers: { 'accept-encoding': 'br' } }
    const batch = await ask('/odata/$batch', headers, 'POST', JSON.stringify({ requests: [request] }))
    const [{ headers: plain }] = JSON.parse(batch.text).responses
    assert.equal(plain.etag, (await ask(path)).headers.etag)
    assert.equal(plain.etag, JSON.parse(read.text)['@odata.etag'])
  })

  test('of an answer to a write has the tag that a following GET has', async () => {
    const headers = { 'accept-encoding': 'br', 'content-type': 'application/json' }
    const written = await ask(`${DEALS}/${deal}/add-note`, headers, 'PUT', '{"text":"x"}')
    const read = await ask(`${DEALS}/${deal}`, { 'accept-encoding': 'br' })
    assert.deepEqual([written.headers['content-encoding'], written.headers.etag], ['br', read.headers.etag])
    assert.equal(written.text, read.text)
  })

  test('HEAD has the headers of GET', async () => {
    for (const path of [`${DEALS}/${deal}`, '/customers', '/openapi.json', '/customers.ndjson']) {
      const { date: _a, 'request-id': _b, ...got } = (await ask(path, { 'accept-encoding': 'zstd' })).headers
      const { date: _c, 'request-id': _d, ...head } = (await ask(path, { 'accept-encoding': 'zstd' }, 'HEAD')).headers
      if (!path.endsWith('ndjson')) assert.deepEqual(head, got, path)
      assert.equal(head['content-encoding'], 'zstd')
    }
  })

  test('is not for pages of other sites', async () => {
    for (const site of ['cross-site', 'same-origin', 'same-site', 'none']) {
      const { headers } = await ask('/customers', { 'accept-encoding': 'gzip', 'sec-fetch-site': site })
      assert.equal(headers['content-encoding'], site === 'cross-site' ? undefined : 'gzip', site)
    }
  })

  test('is not for an answer that shows a secret', async () => {
    const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/json' }
    const body = JSON.stringify({ url: `http://127.0.0.1:9/${'x'.repeat(1500)}` })
    const made = await ask('/webhooks', headers, 'POST', body)
    assert.deepEqual([made.status, made.headers['content-encoding']], [201, undefined])
    const { id, secret } = JSON.parse(made.text)
    assert.match(secret, /^whsec_/)
    const turned = await ask(`/webhooks/${id}/rotations`, headers, 'POST', '{}')
    assert.deepEqual([turned.status, turned.headers['content-encoding']], [200, undefined])
    const page = { ...headers, accept: 'text/html' }
    assert.equal((await ask(`/webhooks/${id}/rotations`, page, 'POST', '{}')).headers['content-encoding'], undefined)
    assert.equal((await ask(`/webhooks/${id}`, { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
  })

  test('is not for the live stream', async () => {
    const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip' }
    const response = await new Promise<IncomingMessage>((resolve) =>
      httpGet(`${service.url}/events`, { headers, agent: false }, resolve),
    )
    assert.equal(response.headers['content-encoding'], undefined)
    response.destroy()
  })

  test('of a stream begins before its end, and stops when nobody reads on', async () => {
    const long = 'x'.repeat(10_000)
    for (let n = 0; n < 40; n++) await openDeal(service, { name: `Row ${n}`, description: long })
    const response = await new Promise<IncomingMessage>((resolve) =>
      httpGet(`${service.url}${DEALS}.ndjson`, { headers: { 'accept-encoding': 'zstd' }, agent: false }, resolve),
    )
    let lines = 0
    for await (const part of response.pipe(createZstdDecompress())) lines += String(part).split('\n').length - 1
    assert.equal(lines, 41)
    const left = httpGet(`${service.url}${DEALS}.ndjson`, { headers: { 'accept-encoding': 'gzip' }, agent: false })
    await new Promise((resolve) => left.on('response', (early) => early.once('data', resolve)))
    left.destroy()
    assert.equal((await ask('/customers/1')).status, 200)
  })
})

suite('documents for programs and pages', () => {
  test('have validators, and are sent once', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/hold', '/style.css', '/app.js']) {
      const first = await ask(path)
      assert.match(String(first.headers.etag), /^"[\w-]+"$/, path)
      for (const method of ['GET', 'HEAD']) {
        const again = await ask(path, { 'if-none-match': `"other", W/${first.headers.etag}` }, method)
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', first.headers.etag], path)
        assert.deepEqual([again.headers['content-length'], again.headers['content-type']], [undefined, undefined], path)
        assert.equal(again.headers['cache-control'], first.headers['cache-control'])
      }
      assert.equal((await ask(path, { 'if-none-match': '"other"' })).status, 200)
    }
  })
})

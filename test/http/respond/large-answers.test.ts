import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { after, before, mock, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { BeyondBudget } from '../../../src/http/contract/problems/problem.ts'
import { detailOf } from '../../../src/http/contract/problems/told-problem.ts'
import { RequestBudget } from '../../../src/http/request/answer-budget.ts'
import { writeWhole } from '../../../src/http/respond/whole-result.ts'
import { holdAnswers } from '../../../src/monitoring/held-answers.ts'
import { collectionsOf } from '../../../src/queries/collections.ts'
import { defaultSort } from '../../../src/queries/sort.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import type { JsonTexts } from '../../../src/values/json/texts.ts'
import { fill, manyCustomers } from '../../support/database/filled.ts'
import { collections } from '../../support/schema.ts'
import { bearer, runClosedService } from '../../support/service/closed-service.ts'
import { openSocket } from '../../support/service/raw-socket.ts'
import { type Answered, runService, type TestService } from '../../support/service/running-service.ts'

// Customers 1 to 300 have names that no request could give them: a page of them has six megabytes.

let service: TestService

before(async () => {
  // Nobody is cut off for reading slowly.
  mock.timers.enable({ apis: ['setInterval'] })
  service = await runService()
  const name = 'x'.repeat(20_000)
  const long = manyCustomers(1, 300).map((row) => ({ ...row, name }))
  await fill(service.database, collections.customers, [...long, ...manyCustomers(1001, 1000)])
})
after(async () => {
  mock.timers.reset()
  await service.close()
})

/** One part of a batch: what it answered, and why it was refused. */
interface Part {
  readonly items?: readonly unknown[] | undefined
  readonly code?: string | undefined
  readonly status?: number | undefined
}

/** The doors with batches: so many reads in one request, each with what a list may be asked for. */
const doors: readonly {
  readonly name: string
  readonly ask: (of: TestService, count: number, where: string, limit: number, key?: string) => Promise<Answered>
  readonly parts: (answer: Answered) => readonly Part[]
}[] = [
  {
    name: 'JSON-RPC',
    ask: (of, count, where, limit, key) =>
      of.request('POST', '/rpc', {
        body: Array.from({ length: count }, (_, id) => ({
          ...{ jsonrpc: '2.0', id, method: 'customers.list' },
          params: { limit, filter: where === '' ? {} : { id: { gt: Number(where) } } },
        })),
        ...(key !== undefined && { headers: bearer(key) }),
      }),
    parts: ({ text }) =>
      JSON.parse(text).map(({ result, error }: { result?: Part; error?: { data: Part } }) => result ?? error?.data),
  },
  {
    name: 'OData',
    ask: (of, count, where, limit, key) =>
      of.request('POST', '/odata/$batch', {
        body: {
          requests: Array.from({ length: count }, (_, id) => ({
            ...{ id: String(id), method: 'get' },
            url: `Customers?$top=${limit}${where === '' ? '' : `&$filter=id gt ${where}`}`,
          })),
        },
        headers: { prefer: 'odata.continue-on-error', ...(key !== undefined && bearer(key)) },
      }),
    parts: ({ text }) =>
      JSON.parse(text).responses.map(
        ({ status, body }: { status: number; body: { value?: unknown[]; error?: Part } }) => ({
          ...{ status, items: body.value, code: body.error?.code },
        }),
      ),
  },
]

for (const { name, ask, parts } of doors) {
  suite(`a batch of ${name}`, () => {
    test('answers at most 16 MB, sent while it is made; each part beyond is refused for itself', async () => {
      const answer = await ask(service, 6, '', 300)
      assert.equal(answer.status, 200)
      const { 'transfer-encoding': coding, 'content-length': length } = answer.headers
      assert.deepEqual([coding, length], ['chunked', undefined], 'it is sent while it is made')
      const all = parts(answer)
      assert.deepEqual(
        all.map(({ items, code }) => items?.length ?? code),
        [300, 300, ...Array.from({ length: 4 }, () => 'query-too-large')],
      )
      assert.ok(Buffer.byteLength(answer.text) < 16_100_000)
    })

    test('answers at most 10,000 things, counted before they are read', async () => {
      const all = parts(await ask(service, 100, '1000', 1000))
      assert.deepEqual(
        all.map(({ items, code }) => items?.length ?? code),
        Array.from({ length: 100 }, (_, at) => (at < 10 ? 1000 : 'query-too-large')),
      )
    })

    test('counts each read as a request', async () => {
      const limited = await runClosedService({ RATE_LIMIT: '5/hour' })
      const answer = await ask(limited, 7, '', 1, limited.keys.reader)
      assert.equal(answer.status, 200)
      assert.deepEqual(
        parts(answer).map(({ code }) => code),
        [...Array.from({ length: 5 }, () => undefined), 'too-many-requests', 'too-many-requests'],
      )
      assert.equal((await ask(limited, 1, '', 1, limited.keys.reader)).status, 429)
      await limited.close()
    })
  })
}

test('a long part of a batch of OData is sent in pieces', async () => {
  const requests = [{ id: '1', method: 'get', url: 'Customers?$top=60' }]
  const body = JSON.stringify({ requests })
  const socket = await openSocket(new URL(service.url))
  socket.write(
    `POST /odata/$batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const answer = Buffer.concat(await socket.toArray()).toString('latin1')
  const sizes: number[] = []
  for (let at = answer.indexOf('\r\n\r\n') + 4; at < answer.length; ) {
    const end = answer.indexOf('\r\n', at)
    const size = Number.parseInt(answer.slice(at, end), 16)
    sizes.push(size)
    at = end + 2 + size + 2
  }
  assert.ok(sizes.reduce((sum, size) => sum + size) > 60 * 20_000)
  assert.ok(Math.max(...sizes) < 60_000, 'no piece has more than a batch of lines and an item')
})

test('changes of a batch are made, also when their client leaves', async () => {
  const read = Array.from({ length: 3 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'customers.list' }))
  const body = JSON.stringify([
    ...read.map((each) => ({ ...each, params: { limit: 300 } })),
    { jsonrpc: '2.0', id: 9, method: 'customers.create', params: { name: 'Made after all' } },
  ])
  const socket = await openSocket(new URL(service.url))
  socket.pause()
  socket.write(
    `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await new Promise((resolve) => socket.once('readable', resolve))
  socket.destroy()
  for (;;) {
    const { body } = await service.request('GET', '/customers?name=Made+after+all')
    if (body.items?.length === 1) break
  }
})

test('all answers together hold a bounded part of the memory; small ones are always sent', async () => {
  const page = '/customers?maxpagesize=300&lt=301'
  // Clients that read the beginning and nothing else. Those who hold much up are cut off soon, so nobody asks later.
  const clients = await Promise.all(Array.from({ length: 20 }, () => openSocket(new URL(service.url))))
  const answers = await Promise.all(
    clients.map(async (client) => {
      client.write(`GET ${page} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      const [beginning] = (await once(client, 'data')) as [Buffer]
      client.pause()
      return beginning.toString('latin1')
    }),
  )
  assert.deepEqual([...new Set(answers.map((answer) => answer.slice(9, 12)))].toSorted(), ['200', '503'])
  const refused = answers.find((answer) => answer.startsWith('HTTP/1.1 503'))
  assert.match(String(refused), /\r\nretry-after: 1\r\n/i)
  assert.match(String(refused), /"code":"unavailable"/)
  assert.equal((await service.request('GET', '/customers?maxpagesize=100&gt=1000')).status, 200)
  for (const client of clients) client.destroy()
  // Such long names are documented nowhere, so `request` would refuse the answer.
  const statusNow = async (): Promise<number> => {
    const answer = await fetch(service.url + page)
    await answer.arrayBuffer()
    return answer.status
  }
  while ((await statusNow()) !== 200) await pause(20)
})

test('what is read for one request is bounded, and free again when its answer ends', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const answers = holdAnswers()
  const budget = new RequestBudget(answers, response)
  const megabyte = 'é'.repeat(2 ** 19)
  for (let nth = 0; nth < 32; nth++) budget.hold([megabyte])
  assert.equal(answers.held, 32 * 2 ** 20)
  assert.throws(
    () => budget.hold(['x']),
    (error) => error instanceof BeyondBudget && /more than 32 MiB/.test(detailOf(error.problem)),
  )
  response.emit('close')
  assert.equal(answers.held, 0)
})

test('what was read for one request is given back when its answer is sent, or before; at once if it is too much', () => {
  const given: string[] = []
  const page = (name: string, megabytes: number): JsonTexts => ({
    ...{ length: 1, size: megabytes * 2 ** 20, release: () => given.push(name) },
    *[Symbol.iterator]() {},
  })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const budget = new RequestBudget(holdAnswers(), response)
  budget.openBatch()
  budget.hold(page('of an answered part', 10))
  budget.release()
  budget.hold(page('of the last part', 10))
  assert.deepEqual(given, ['of an answered part'])
  assert.throws(() => budget.hold(page('too much', 20)), BeyondBudget)
  assert.deepEqual(given, ['of an answered part', 'too much'])
  assert.throws(() => budget.beforeReading(1), BeyondBudget, 'nothing more is read')
  assert.equal(response.listenerCount('finish'), 1)
  response.emit('finish')
  assert.deepEqual(given, ['of an answered part', 'too much', 'of the last part'])
})

test('a long page is sent while it is written, in every format, and is the same', async () => {
  const long = '/customers?maxpagesize=60&lt=301&format='
  const { text, headers } = await service.request('GET', `${long}csv`)
  assert.match(String(headers.link), /rel="next"/)
  const rows = text.trimEnd().split('\r\n')
  const { text: all } = await service.request('GET', '/customers.csv')
  assert.deepEqual([rows.length, rows], [61, all.split('\r\n').slice(0, 61)])
  // Such long names are documented nowhere, so `request` would refuse them as JSON.
  const plain = { headers: { 'accept-encoding': 'identity' } }
  const ask = (path: string): Promise<Response> => fetch(service.url + path, plain)
  for (const format of ['csv', 'xlsx', 'json', 'xml', 'hal', 'yaml', 'html', 'html&fields=id,name']) {
    const { status, headers, body } = await ask(long + format)
    await body?.cancel()
    assert.deepEqual([status, headers.get('content-length')], [200, null], format)
    const short = await ask(`/customers?maxpagesize=1&gt=1000&format=${format}`)
    await short.body?.cancel()
    for (const name of ['content-type', 'vary', 'cache-control', 'content-security-policy', 'content-disposition']) {
      assert.equal(headers.get(name), short.headers.get(name), `${name} of ${format}`)
    }
  }
  const page = (await (await ask(`${long}json`)).json()) as {
    readonly items: readonly unknown[]
    readonly hasMore: boolean
  }
  assert.deepEqual([page.items.length, page.hasMore], [60, true])
})

test('long answers of doors are sent in pieces, and no character is cut', async () => {
  const name = '😀'.repeat(10_000)
  await fill(
    service.database,
    collections.customers,
    manyCustomers(3001, 60).map((row) => ({ ...row, name: `x${name}` })),
  )
  const params = { name: 'list_customers', arguments: { filter: { id: { gt: 3000 } }, limit: 60 } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const called = await service.request('POST', '/mcp', { body })
  const { content, structuredContent } = JSON.parse(called.text).result
  assert.equal(called.headers['content-length'], undefined)
  assert.deepEqual(JSON.parse(content[0].text), structuredContent)
  assert.ok(structuredContent.items.every((item: { readonly name: string }) => item.name === `x${name}`))
  const entities = await service.request('GET', '/odata/Customers?$filter=id%20gt%203000')
  assert.equal(entities.headers['content-length'], undefined)
  assert.ok(JSON.parse(entities.text).value.every((item: { readonly name: string }) => item.name === `x${name}`))
})

suite('GraphQL', () => {
  const ask = (query: string): Promise<Answered> => service.request('POST', '/graphql', { body: { query } })
  const members = (count: number): string => Array.from({ length: count }, (_, nth) => `a${nth}: name`).join(' ')

  test('writes a long answer as it is, and gives up one that is too long', async () => {
    const { text, headers, status } = await ask(
      `{ customers(first: 300) { edges { node { id name } } nodes { ${members(1)} } } }`,
    )
    assert.deepEqual([status, headers['content-length']], [200, undefined])
    const { edges, nodes } = JSON.parse(text).data.customers
    assert.deepEqual([edges.length, edges[299].node.id, edges[299].node.name.length], [300, '300', 20_000])
    assert.deepEqual([nodes.length, nodes[7].a0.length], [300, 20_000])
    const refused = await ask(`{ customers(first: 300) { nodes { ${members(240)} } } }`)
    assert.equal(JSON.parse(refused.text).errors[0].extensions.code, 'query-too-large')
  })

  test('refuses what validation would compare for long, however it is written', async () => {
    const spread = `fragment f on Deal { ${'...{customer{id}}'.repeat(40)} }`
    for (const query of [
      `{ deals(first: 1) { nodes { ${'...{customer{id}}'.repeat(320)} } } }`,
      `{ deals(first: 1) { nodes { ${'customer{id} '.repeat(320)} } } }`,
      `{ deals(first: 1) { nodes { ${'...f '.repeat(10)} } } } ${spread}`,
      `{ deals(first: 1) { nodes { ${`customer { ${'deals { nodes { id } } '.repeat(9)} } `.repeat(10)} } } }`,
      `{ deals(first: 1) { nodes { id } } } fragment f on Deal { ${'...{customer{id}}'.repeat(320)} }`,
      `{ ...a1 } ${Array.from({ length: 8 }, (_, n) => `fragment a${n + 1} on Query { ${`x: deals { nodes { id } } ...a${n + 2} `.repeat(6)} }`).join(' ')} fragment a9 on Query { deals { nodes { id } } }`,
    ]) {
      const { text } = await ask(query)
      assert.equal(JSON.parse(text).errors?.[0].extensions.code, 'query-too-large', query.slice(0, 90))
    }
    const usual = await ask(`{ deals(first: 1) { nodes { ${'...{customer{id}}'.repeat(30)} } } }`)
    assert.deepEqual(JSON.parse(usual.text), { data: { deals: { nodes: [] } } })
  })
})

test('a whole result of long things is read and written a little at a time', async () => {
  const own = await runService()
  const field = { on: 'deal', name: 'extent', title: 'Extent', kind: 'text', options: { max: 10_000 } }
  assert.equal((await own.request('POST', '/fields', { body: field })).status, 201)
  for (let nth = 0; nth < 60; nth++) {
    const body = { name: `Long ${nth}`, price: 1, own: { extent: 'x'.repeat(10_000) } }
    assert.equal((await own.request('POST', '/rest/v1/deals', { body })).status, 201)
  }
  const { deals } = collectionsOf(own.store.schemas.current)
  const query = { filter: [], sort: defaultSort(deals), size: 60, count: false, refuseEmpty: false }
  const read = (): AsyncIterable<Uint8Array> => own.store.as(SERVICE).stream(deals, [], query)
  const pieces: number[] = []
  for await (const { length } of read()) pieces.push(length)
  assert.ok(pieces.length > 1 && Math.max(...pieces) < 2 ** 18 + 12_000, String(pieces))

  const written: (readonly string[])[] = []
  const begin = () => ({
    beginning: () => '',
    batch(texts: readonly string[]) {
      written.push(texts)
      return ''
    },
    end: () => '',
  })
  const list = { name: 'deals', title: '', address: '', columns: [], chosen: false, items: deals }
  const layout = { whole: { hasPages: true, isLines: false, begin }, list, expand: undefined, present: undefined }
  const rest = read()[Symbol.asyncIterator]()
  for await (const _bytes of writeWhole(layout, await rest.next(), rest));
  const lengths = written.map((texts) => texts.join('').length)
  assert.ok(Math.max(...lengths) < 2 ** 16 + 12_000, String(lengths))
  const names = written.flat().map((json) => (JSON.parse(json) as { readonly name: string }).name)
  assert.deepEqual([names.length, new Set(names).size], [60, 60])
})

test('a long feed has a tag, and is not sent again', async () => {
  for (let nth = 0; nth < 60; nth++) {
    const body = { name: 'Long', price: 1, currency: 'EUR', description: `${nth}${'é'.repeat(9900)}`, customerId: 1001 }
    assert.equal((await service.request('POST', '/rest/v1/deals', { body })).status, 201)
  }
  const feed = '/events?maxpagesize=1000&format=atom'
  const { status, headers, text } = await service.request('GET', feed)
  assert.deepEqual([status, headers['content-length'], text.split('<entry>').length > 60], [200, undefined, true])
  const again = await service.request('GET', feed, { headers: { 'if-none-match': String(headers.etag) } })
  assert.deepEqual([again.status, again.headers.etag, again.text], [304, headers.etag, ''])
})

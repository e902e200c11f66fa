import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OData } from '@odata/client'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'

let service: ClosedService

before(async () => {
  service = await runClosedService()
})
after(() => service.close())

interface Sent {
  readonly lines: readonly string[]
  readonly boundary?: string
  readonly headers?: { readonly [name: string]: string }
  readonly eol?: string
}

async function send({ lines, boundary = 'b', headers, eol = '\r\n' }: Sent) {
  const answer = await fetch(`${service.url}/odata/$batch`, {
    method: 'POST',
    headers: {
      ...bearer(service.keys.admin),
      'content-type': `multipart/mixed; boundary=${boundary}`,
      ...headers,
    },
    body: lines.join(eol),
  })
  const text = await answer.text()
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text }
}

const request = (line: string, body?: object, id?: string, headers: readonly string[] = []): readonly string[] => [
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  ...(id === undefined ? [] : [`Content-ID: ${id}`]),
  '',
  `${line} HTTP/1.1`,
  ...(body === undefined ? [] : ['Content-Type: application/json']),
  ...headers,
  '',
  ...(body === undefined ? [''] : [JSON.stringify(body)]),
]

const changeSet = (...requests: readonly (readonly string[])[]): readonly string[] => [
  'Content-Type: multipart/mixed; boundary=c',
  '',
  ...requests.flatMap((each) => ['--c', ...each]),
  '--c--',
]

const batch = (...parts: readonly (readonly string[])[]): readonly string[] => [
  ...parts.flatMap((each) => ['--b', ...each]),
  '--b--',
  '',
]

const statuses = (text: string): readonly number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))

const customers = async (): Promise<string> =>
  (await fetch(`${service.url}/odata/Customers/$count`, { headers: bearer(service.keys.admin) })).text()

suite('a batch as multipart/mixed', () => {
  test('a client sends it as it does by default', async () => {
    const client = OData.New4({ serviceEndpoint: `${service.url}/odata/`, commonHeaders: bearer(service.keys.admin) })
    const filter = client.newFilter().property('name').eqString('Client of parts')
    const answers = await client.execBatchRequests([
      client.newBatchRequest({ collection: 'Customers', method: 'POST', entity: { name: 'Client of parts' } }),
      client.newBatchRequest({ collection: 'Customers', params: client.newOptions().filter(filter) }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200],
    )
    const found = (await answers[1]?.json()) as unknown as { value: readonly { name: string }[] }
    assert.deepEqual(
      found.value.map(({ name }) => name),
      ['Client of parts'],
    )
  })

  test('a change set takes effect together, and its requests name what earlier ones make', async () => {
    const { status, type, text } = await send({
      lines: batch(
        changeSet(
          request('POST Customers', { name: 'Zoë of a set' }, '1'),
          request('POST /odata/Deals', { name: 'Shed', price: 5, 'customer@odata.bind': '$1' }, '2'),
          request('POST $2/Dealdesk.Hold', { reason: 'x' }, '3'),
        ),
        request("GET Deals?$filter=name eq 'Shed'&$expand=customer"),
      ),
    })
    assert.equal(status, 200)
    assert.deepEqual(statuses(text), [201, 201, 200, 200])
    const [, outer] = /^multipart\/mixed; boundary=(batchresponse_[\w-]+)$/.exec(type) ?? []
    assert.ok(outer && text.endsWith(`--${outer}--\r\n`))
    const [, inner] = /^Content-Type: multipart\/mixed; boundary=(changesetresponse_[\w-]+)\r$/m.exec(text) ?? []
    assert.equal(text.split(`--${inner}\r\n`).length, 4, 'three responses are in the set')
    assert.deepEqual(
      [...text.matchAll(/^Content-ID: (.*)\r$/gm)].map(([, id]) => id),
      ['1', '2', '3'],
    )
    assert.match(text, /"customer":\{[^}]*"name":"Zoë of a set"/)
    for (const [, head = '', body = ''] of text.matchAll(/(HTTP\/1\.1 [\s\S]*?)\r\n\r\n([\s\S]*?)\r\n--/g)) {
      const [, length] = /Content-Length: (\d+)/.exec(head) ?? []
      assert.equal(Buffer.byteLength(body), Number(length))
    }
  })

  test('a change set with a refusal does nothing, has one response, and ends the batch', async () => {
    const count = await customers()
    const lines = batch(
      changeSet(request('POST Customers', { name: 'Never' }, '1'), request('POST Deals', { name: 'Never' }, '2')),
      request('GET Customers/$count'),
    )
    const stopped = await send({ lines })
    assert.deepEqual(statuses(stopped.text), [422])
    assert.match(stopped.text, /Content-ID: 2\r\n/)
    assert.match(stopped.text, /"target":"price"/)
    const going = await send({ lines, headers: { prefer: 'odata.continue-on-error' } })
    assert.deepEqual(statuses(going.text), [422, 200])
    assert.equal(await customers(), count)
  })

  test('line breaks, blank lines, missing ids and odd types change nothing', async () => {
    const lines = batch(
      ['content-type:application/http', '', 'get Customers/$count HTTP/1.1'],
      [
        'Content-Type: multipart/mixed;boundary="c"',
        '',
        '--c',
        'Content-Type: application/http',
        '',
        '',
        'POST Customers HTTP/1.1',
        'content-type: multipart/mixed; boundary=z',
        '',
        '',
        '{"name":"Odd"}',
        '',
        '',
        '--c--',
      ],
    )
    for (const eol of ['\r\n', '\n']) assert.deepEqual(statuses((await send({ lines, eol })).text), [200, 201])
  })

  test('each part has its own preconditions, keys and trials', async () => {
    const once = request('POST Customers', { name: 'Once' }, undefined, ['Idempotency-Key: part-once'])
    const tried = request('POST Customers?dry-run=true', { name: 'Tried' })
    const { text } = await send({ lines: batch(changeSet(once), changeSet(once), changeSet(tried)) })
    assert.deepEqual(statuses(text), [201, 201, 200])
    const [first, again] = [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => id)
    assert.equal(first, again)
    const stale = request(`PATCH Customers(${first})`, { name: 'Stale' }, '1', ['If-Match: "old"'])
    assert.deepEqual(statuses((await send({ lines: batch(changeSet(stale)) })).text), [412])
  })

  test('what is not JSON fails its own request, and its set', async () => {
    const count = await customers()
    const bad = ['Content-Type: application/http', '', 'POST Customers HTTP/1.1', '', '{"name":']
    const good = request('POST Customers', { name: 'Beside' })
    const { text } = await send({ lines: batch(changeSet(good, bad)) })
    assert.deepEqual(statuses(text), [400])
    assert.equal(await customers(), count)
  })

  test('what cannot be read is refused as a whole, and nothing is done', async () => {
    const count = await customers()
    const post = request('POST Customers', { name: 'Never' })
    const wrong: readonly Sent[] = [
      { lines: batch(post).slice(0, -2) },
      { lines: [...batch(post), 'GET Customers HTTP/1.1'] },
      { lines: batch([...changeSet(post), ...request('GET Customers')]) },
      { lines: batch(post), boundary: 'other' },
      { lines: batch(post), headers: { 'content-type': 'multipart/mixed' } },
      { lines: batch(['Content-Type: text/plain', '', 'x']) },
      { lines: batch(['POST Customers HTTP/1.1', '', '{"name":"Never"}']) },
      { lines: batch(request('BREW Customers')) },
      { lines: batch(request('GET')) },
      { lines: batch(changeSet(['Content-Type: multipart/mixed; boundary=d', '', '--d', ...post, '--d--'])) },
      { lines: batch(changeSet()) },
      { lines: batch(changeSet(request('POST Customers', { name: 'x' }, '1'), request('POST Deals', {}, '1'))) },
      { lines: batch(request('POST Customers', { name: 'x' }, undefined, ['no colon'])) },
      { lines: batch(request('POST Customers', { name: 'x' }, undefined, ['A: 1', 'a: 2'])) },
      { lines: batch(...Array.from({ length: 1001 }, () => request('GET Customers/$count'))) },
    ]
    for (const each of wrong) {
      const { status, text } = await send(each)
      assert.equal(status, 400, text)
      assert.match(text, /"code":"malformed-body"/)
    }
    assert.equal(await customers(), count)
    assert.deepEqual(statuses((await send({ lines: batch(changeSet(request('GET Customers'))) })).text), [400])
  })

  test('it is for the address of batches alone, with the rights of the caller', async () => {
    const headers = { 'content-type': 'multipart/mixed; boundary=b' }
    const sent = { method: 'POST', body: batch(changeSet(request('POST Customers', { name: 'x' }))).join('\r\n') }
    const elsewhere = await fetch(`${service.url}/odata/Customers`, {
      ...{ ...sent, headers: { ...headers, ...bearer(service.keys.admin) } },
    })
    assert.equal(elsewhere.status, 415)
    await elsewhere.body?.cancel()
    const reader = await send({ lines: sent.body.split('\r\n'), headers: bearer(service.keys.reader) })
    assert.deepEqual([reader.status, statuses(reader.text)], [200, [403]])
    const nobody = await fetch(`${service.url}/odata/$batch`, { ...sent, headers })
    assert.equal(nobody.status, 401)
    await nobody.body?.cancel()
  })
})

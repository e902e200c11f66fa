import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Script } from 'node:vm'
import { constantOf } from '../../../src/screens/shell/script.ts'
import { runClosedService } from '../../support/service/closed-service.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { openSocket, type RawAnswer, readAnswer } from '../../support/service/raw-socket.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
let url: URL
before(async () => {
  service = await runService()
  url = new URL(service.url)
})
after(() => service.close())

async function send(text: string): Promise<RawAnswer> {
  const socket = await openSocket(url)
  try {
    socket.write(text)
    return await readAnswer(socket)
  } finally {
    socket.destroy()
  }
}

/** The first bytes that come back. */
async function firstLine(head: string): Promise<string> {
  const socket = await openSocket(url)
  try {
    socket.write(`${head}\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n`)
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    return String(bytes).split('\r\n', 1)[0] ?? ''
  } finally {
    socket.destroy()
  }
}

const assets = join(import.meta.dirname, '../../../src/screens/assets')
const FOR_GOOD = 'public, max-age=31536000, immutable'
const JSON_TYPE = 'Content-Type: application/json'

suite('a client that waits before it sends its body', () => {
  test('is told to go on, and is answered then', async () => {
    const socket = await openSocket(url)
    const body = '{"name":"Ana"}'
    socket.write(
      `POST /customers HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    assert.equal(String(bytes), 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    assert.equal((await readAnswer(socket)).status, 201)
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.equal((await readAnswer(socket)).status, 200)
    socket.destroy()
  })

  test('is refused at once where the headers already decide', async () => {
    for (const [head, status] of [
      [`POST /nothing HTTP/1.1\r\n${JSON_TYPE}\r\nContent-Length: 100`, 404],
      [`PUT /customers HTTP/1.1\r\n${JSON_TYPE}\r\nContent-Length: 100`, 405],
      [`POST /customers HTTP/1.1\r\n${JSON_TYPE}\r\nContent-Length: 2000000`, 413],
      ['POST /customers HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 100', 415],
      ['POST /customers HTTP/1.1\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked', 415],
      [`POST /customers HTTP/1.1\r\n${JSON_TYPE}\r\nContent-Encoding: gzip\r\nContent-Length: 100`, 415],
      [`PUT /customers/1 HTTP/1.1\r\n${JSON_TYPE}\r\nContent-Range: bytes 0-9/20\r\nContent-Length: 100`, 400],
    ] as const) {
      assert.match(await firstLine(head), new RegExp(`^HTTP/1\\.1 ${status} `), head)
    }
  })
})

suite('a client that waits, where users are known', () => {
  test('is asked who it is before its body comes', async () => {
    const closed = await runClosedService()
    try {
      const socket = await openSocket(new URL(closed.url))
      const head = `POST /customers HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${JSON_TYPE}`
      socket.write(`${head}\r\nContent-Length: 14\r\n\r\n`)
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      assert.match(String(bytes), /^HTTP\/1\.1 401 /)
      socket.destroy()
    } finally {
      await closed.close()
    }
  })
})

suite('a client that wants its connection closed and still sends', () => {
  for (const connection of ['close', 'TE, Close'])
    test(`reads that its body is too large (${connection})`, async () => {
      const socket = await openSocket(url)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      const chunk = `100000\r\n${' '.repeat(2 ** 20)}\r\n`
      const head = `POST /customers HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n${JSON_TYPE}`
      const answering = readAnswer(socket)
      socket.write(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(7)}0\r\n\r\n`)
      assert.equal((await answering).status, 413)
      assert.equal(await closed, false)
    })
})

suite('a method that nobody knows', () => {
  test('is 501, and bytes behind a request that are none are not', async () => {
    assert.equal((await send('BREW /customers HTTP/1.1\r\nHost: localhost\r\n\r\n')).status, 501)
    const socket = await openSocket(url)
    let text = ''
    socket.on('data', (bytes: Buffer) => {
      text += bytes
    })
    socket.write('DELETE /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n2\r\n{}\r\n')
    await once(socket, 'close')
    assert.doesNotMatch(text, /HTTP\/1\.1 501 /)
  })
})

suite('a target that is a whole address', () => {
  const ask = (target: string, host = 'localhost') => send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)

  test('is judged by its own host, not by Host', async () => {
    assert.equal((await ask('http://evil.example/health/live')).status, 421)
    assert.equal((await ask('http://127.0.0.1/health/live', 'evil.example')).status, 200)
    assert.equal((await ask('http://localhost:8080/health/live')).status, 200)
    assert.equal((await ask('HTTPS://localhost?format=json')).status, 200)
  })

  test('must have a host that is one', async () => {
    for (const target of ['http:///health/live', 'http://mila@localhost/', 'http://a b/']) {
      assert.equal((await ask(target)).status, 400, target)
    }
  })
})

suite('a body', () => {
  test('that is part of something does not replace the whole', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana', age: 30 } })
    const headers = { 'content-range': 'bytes 0-13/28' }
    const answer = await service.request('PUT', `/customers/${customer.id}`, { body: { name: 'Bea' }, headers })
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid-header'])
    assert.partialDeepStrictEqual((await service.request('GET', `/customers/${customer.id}`)).body, { name: 'Ana' })
  })

  test('is read in UTF-8 and nothing else', async () => {
    const sent = (charset: string) =>
      service.request('POST', '/customers', {
        body: '{"name":"Ana"}',
        headers: { 'content-type': `application/json; charset=${charset}` },
      })
    for (const charset of ['utf-16', 'iso-8859-1', '"UTF-16"']) {
      const answer = await sent(charset)
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported-media-type'], charset)
      assert.match(answer.body.detail, /UTF-8/)
    }
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8'])
      assert.equal((await sent(charset)).status, 201, charset)
    const bytes = Buffer.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')])
    assert.equal((await service.request('POST', '/customers', { body: bytes })).status, 400)
  })

  test('of another type is told which are read', async () => {
    const deal = await openDeal(service)
    const self = `${DEALS}/${deal.id}`
    for (const type of ['text/plain', 'application/xml', 'nonsense', '']) {
      const asking = { body: 'name', headers: { 'content-type': type } }
      const put = await service.request('PUT', `${self}/hold`, asking)
      assert.deepEqual([put.status, put.headers.accept], [415, 'application/json'], type)
      const patch = await service.request('PATCH', self, asking)
      assert.equal(patch.status, 415)
      assert.match(String(patch.headers['accept-patch']), /application\/merge-patch\+json/)
      assert.match(patch.body.detail, /application\/merge-patch\+json/)
      const post = await service.request('POST', `${self}/holds`, asking)
      assert.equal(post.headers.accept, 'application/json, application/x-www-form-urlencoded')
    }
    const gzip = await service.request('POST', '/customers', { body: {}, headers: { 'content-encoding': 'gzip' } })
    assert.deepEqual([gzip.status, gzip.headers['accept-encoding']], [415, 'identity'])
  })

  test('of which types are read, OPTIONS tells', async () => {
    const deal = await openDeal(service)
    const { headers } = await service.request('OPTIONS', `${DEALS}/${deal.id}`)
    assert.match(String(headers['accept-patch']), /application\/merge-patch\+json/)
    assert.equal(headers['accept-post'], undefined)
    const customers = await service.request('OPTIONS', '/customers')
    assert.match(String(customers.headers['accept-post']), /application\/json/)
  })

  test('that is JSON sent as a form is told so', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const deal = await openDeal(service)
    for (const [method, path] of [
      ['POST', `${DEALS}/`],
      ['POST', '/customers'],
      ['PUT', `${DEALS}/${deal.id}/hold`],
    ] as const) {
      const answer = await service.request(method, path, { body: ' {"name":"x","price":1}', headers })
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported-media-type'], path)
      assert.match(answer.body.detail, /is JSON.*Content-Type: application\/json/)
      assert.match(String(answer.headers.accept), /application\/json/)
    }
  })
})

suite('an address where nothing is', () => {
  test('leads to the one that was meant', async () => {
    const { id } = await openDeal(service)
    for (const [sent, meant] of [
      ['/deals', '/rest/v1/deals'],
      ['/deals/', '/rest/v1/deals'],
      [`/deals/${id}`, `/rest/v1/deals/${id}`],
      [`/deals/${id}/hold`, `/rest/v1/deals/${id}/hold`],
      ['/rest/v1/customers', '/customers'],
      ['/rest/v1/customers/7', '/customers/7'],
      ['/rest/deals', '/rest/v1/deals'],
      ['/rest/v2/deals', '/rest/v1/deals'],
      ['/api/v1/deals', '/rest/v1/deals'],
      ['/v1/deals', '/rest/v1/deals'],
      [`/rest/v1/deals/${id}/hodl`, `/rest/v1/deals/${id}/hold`],
      [`/rest/v1/deal/${id}`, `/rest/v1/deals/${id}`],
      ['/query/deals-by-customr/7', '/query/deals-by-customer/7'],
      ['/query/deals-by-customr', '/query/deals-by-customer/{parameter}'],
      ['/customer', '/customers'],
      ['/webhook', '/webhooks'],
      ['/commands', '/rest/commands'],
      ['/openapi', '/openapi.json'],
      ['/.well-known/api-catalogue', '/.well-known/api-catalog'],
    ] as const) {
      const { status, body, headers } = await service.request('GET', sent)
      assert.equal(status, 404, sent)
      assert.ok(body.detail.endsWith(`; did you mean ${meant}?`), `${sent}: ${body.detail}`)
      assert.equal(headers.link?.includes(`<${meant}>; rel="related"`), !meant.includes('{'), sent)
    }
    const asPerson = { headers: { accept: 'text/html,*/*;q=0.8' } }
    for (const [sent, meant] of [
      ['/deals', DEALS],
      ['/deals?status=open&sort=-price', `${DEALS}?status=open&sort=-price`],
      ['/tasks', '/rest/v1/tasks'],
      [`/deals/${id}`, `${DEALS}/${id}`],
      [`/deals/${id}/history`, `${DEALS}/${id}/history`],
    ] as const) {
      const { status, headers } = await service.request('GET', sent, asPerson)
      assert.deepEqual([status, headers.location], [303, meant])
      assert.match(String(headers.vary), /Accept/)
    }
    for (const path of ['/deal', `/deals/${id}/hold`, '/rest/v2/deals'])
      assert.equal((await service.request('GET', path, asPerson)).status, 404, path)
    const page = await service.request('GET', '/deal', asPerson)
    assert.match(page.text, /did you mean <a href="\/rest\/v1\/deals">\/rest\/v1\/deals<\/a>\?/)
    const put = await service.request('PUT', `${DEALS}/${id}/hodl`, { body: { reason: 'x' } })
    assert.match(put.body.detail, /did you mean .*\/hold\?/)
  })

  test('is not explained by what is nowhere near', async () => {
    for (const path of [
      '/nothing',
      '/rest/v1',
      '/x/y/z',
      '/query/x',
      `/${'a/'.repeat(2000)}`,
      `/${'a'.repeat(8000)}`,
    ]) {
      const { status, body } = await service.request('GET', path)
      assert.equal(status, 404)
      assert.doesNotMatch(body.detail, /did you mean/, path)
      assert.ok(body.detail.length < 1000)
    }
  })
})

suite('what has one type', () => {
  test('is had by its suffix, format and Accept, and as nothing else', async () => {
    const ask = (path: string, accept?: string) => service.request('GET', path, accept ? { headers: { accept } } : {})
    for (const [path, type] of [
      ['/docs', 'text/html'],
      ['/docs.html', 'text/html'],
      ['/docs/hold.html', 'text/html'],
      ['/openapi.json', 'application/json'],
      ['/metrics', 'text/plain'],
      ['/style.css', 'text/css'],
      ['/app.js', 'text/javascript'],
      ['/.well-known/api-catalog', 'application/linkset+json'],
    ] as const) {
      assert.equal((await ask(path)).headers['content-type']?.split(';')[0], type, path)
      if (/format|html/.test(path)) continue
      assert.equal((await ask(path, `${type}, image/png`)).status, 200, path)
      const { status, body } = await ask(path, 'image/png')
      assert.deepEqual([status, body.code], [406, 'not-acceptable'], path)
      assert.partialDeepStrictEqual(body.available, [{ mediaType: type }])
    }
    for (const path of ['/docs?format=html', '/openapi.json?format=json']) {
      assert.equal((await fetch(service.url + path)).status, 200, path)
    }
    for (const path of [
      '/docs.json',
      '/docs?format=xml',
      '/metrics.json',
      '/metrics?format=html',
      '/openapi.json.xml',
    ]) {
      assert.equal((await ask(path)).status, 406, path)
    }
    for (const path of ['/docs.pdf', '/metrics.txt', '/openapi.json.pdf']) {
      assert.equal((await ask(path)).status, 404, path)
    }
  })
})

suite('style and script', () => {
  const loaded = async (language: string): Promise<readonly string[]> => {
    const headers = { accept: 'text/html', 'accept-language': language }
    const { text } = await service.request('GET', '/board', { headers })
    return [...text.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)].map(([, path = '']) => path)
  }

  test('are all files of their folders, and the script is one that runs', async () => {
    const style = (await service.request('GET', '/style.css')).text
    for (const name of readdirSync(join(assets, 'style')))
      for (const rules of readFileSync(join(assets, 'style', name), 'utf8').split(/^ *\/\*.*\*\/\n/m))
        assert.ok(style.includes(rules), name)
    const script = (await service.request('GET', '/app.js')).text
    for (const name of readdirSync(join(assets, 'script')))
      assert.ok(script.includes(`\nconst ${constantOf(basename(name, '.js'))} = `), name)
    assert.doesNotThrow(() => new Script(script))
  })

  test('may be cached for good at the address that pages have, and nowhere else', async () => {
    for (const path of await loaded('en')) {
      assert.equal((await service.request('GET', path)).headers['cache-control'], FOR_GOOD, path)
      for (const other of [path.replace(/\?.*/, ''), `${path}x`])
        assert.equal((await service.request('GET', other)).headers['cache-control'], 'no-cache', other)
    }
  })

  test('have one address for the style, and one for the script in each language', async () => {
    const [[style, script = ''], [german, deutsch = '']] = await Promise.all([loaded('en'), loaded('de')] as const)
    assert.equal(style, german)
    assert.notEqual(script, deutsch)
    const headers = { 'accept-language': 'de' }
    const answer = await service.request('GET', deutsch, { headers })
    assert.equal(answer.headers['cache-control'], FOR_GOOD)
    assert.match(answer.text, /"Close":"Schließen"/)
    assert.doesNotMatch((await service.request('GET', script)).text, /Schließen/)
  })
})

suite('Link', () => {
  test('leads from the home to what describes the service, on HEAD too', async () => {
    for (const method of ['GET', 'HEAD']) {
      const home = String((await service.request(method, '/')).headers.link)
      assert.match(home, /<\/\.well-known\/api-catalog>; rel="api-catalog"/)
      assert.match(home, /<\/openapi\.json>; rel="service-desc"; type="application\/json"/)
      assert.match(home, /<\/docs>; rel="service-doc"; type="text\/html"/)
      const catalog = String((await service.request(method, '/.well-known/api-catalog')).headers.link)
      assert.match(catalog, /<\/>; rel="item".*<\/\.well-known\/api-catalog>; rel="api-catalog"/)
    }
  })

  test('names the other formats of a problem, and those there are where none fits', async () => {
    const missing = await service.request('GET', '/customers/999999')
    assert.match(String(missing.headers.link), /<\?format=html>; rel="alternate"; type="text\/html"/)
    assert.match(String(missing.headers.link), /<\?format=xml>; rel="alternate"/)
    const image = await service.request('GET', '/customers', { headers: { accept: 'image/png' } })
    for (const format of ['json', 'xml', 'html', 'csv', 'ndjson']) {
      assert.match(String(image.headers.link), new RegExp(`<\\?format=${format}>; rel="alternate"`))
    }
  })

  test('repeats neither its address nor more than it must in its head', async () => {
    const { id } = await openDeal(service)
    const socket = await openSocket(url)
    socket.write(`GET ${DEALS}/${id} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const { headers } = await readAnswer(socket)
    const head = socket.bytesRead - Number(headers['content-length'])
    socket.destroy()
    assert.ok(head <= 680, `a head of ${head} bytes`)
    assert.ok(!JSON.stringify(headers).includes(String(id)), JSON.stringify(headers))
  })

  test('of a catalog is at the root of the host, whatever stands before the rest', async () => {
    const based = await runService({ BASE_URL: 'https://example.com/desk' })
    try {
      const { text, headers } = await based.request('GET', '/.well-known/api-catalog')
      const { linkset } = JSON.parse(text)
      assert.equal(linkset[0].anchor, 'https://example.com/.well-known/api-catalog')
      assert.deepEqual(linkset[0].item, [{ href: 'https://example.com/desk/' }])
      assert.equal(linkset[1]['service-desc'][0].href, 'https://example.com/desk/openapi.json')
      assert.match(String(headers.link), /<https:\/\/example\.com\/\.well-known\/api-catalog>; rel="api-catalog"/)
      const home = await based.request('GET', '/')
      assert.equal(home.body.links.catalog, 'https://example.com/.well-known/api-catalog')
      const lost = await based.request('GET', '/deals')
      assert.match(String(lost.headers.link), /<https:\/\/example\.com\/desk\/rest\/v1\/deals>; rel="related"/)
    } finally {
      await based.close()
    }
  })
})

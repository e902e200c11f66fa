import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { type ProblemCode, problemType } from '../../../src/http/contract/problems/problem-types.ts'
import { loggedDefects } from '../../support/service/logged-defects.ts'
import { openSocket, type RawAnswer, readAnswer } from '../../support/service/raw-socket.ts'
import { type ServiceProcess, spawnService, temporaryFolder } from '../../support/service/service-process.ts'

// Bytes as a careless or hostile client sends them, on bare sockets, to the service as it is run.

const folder = temporaryFolder('bad-input')
const file = join(folder.path, 'dealdesk.db')
const form = 'application/x-www-form-urlencoded'
let service: ServiceProcess
let url: URL
let deal: string
let stored: string

before(async () => {
  service = spawnService({ DATABASE_URL: file })
  url = new URL(await service.ready)
  const { status, body } = await send(request('POST', '/rest/v1/deals', { body: '{"name":"Roof","price":1}' }))
  assert.equal(status, 201)
  deal = JSON.parse(body).id
  stored = everything()
})

after(async () => {
  const unchanged = everything()
  service.process.kill('SIGTERM')
  const { code, stderr } = await service.ended
  folder.remove()
  assert.equal(unchanged, stored, 'something was stored')
  assert.equal(loggedDefects(stderr), '', 'something was logged as a defect')
  assert.equal(code, 0)
})

describe('a body', () => {
  const create = (body: string | Buffer, type = 'application/json') => request('POST', '/rest/v1/deals', { body, type })
  const member = (json: string) => create(`{"name":"Roof","price":1,${json}}`)

  refuses('malformed-body', {
    'that breaks off': [create('{"name":'), /not JSON/],
    'of single quotes': [create("{'name':'x'}"), /not JSON/],
    'with a comma too many': [create('{"name":"x","price":1,}'), /not JSON/],
    'of two values': [create('{} {}'), /not JSON/],
    'of white space': [create('   '), /not JSON/],
    'with a number that JSON does not know': [member('"amercement":NaN'), /not JSON/],
    'with a byte order mark': [create('\ufeff{"name":"x","price":1}'), /not JSON/],
    'that is not UTF-8': [create(Buffer.from('{"name":"\xff","price":1}', 'latin1')), /UTF-8/],
    'in UTF-16': [create(Buffer.from('\ufeff{"name":"x","price":1}', 'utf16le')), /UTF-8|JSON/],
    'with a raw control character': [create('{"name":"a\u0001b","price":1}'), /not JSON/],
    'of a hundred thousand lists': [create(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), /deeper than 32/],
    'of a hundred thousand objects': [create(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), /deeper than 32/],
    'of a hundred thousand lists that breaks off': [create('['.repeat(100_000)), /not JSON/],
    'of more values than any has': [member(`"description":[${'{},'.repeat(60_000)}1]`), /more than 100000 values/],
    'with __proto__': [member('"__proto__":{"held":true}'), /__proto__/],
    'with __proto__ inside': [member('"description":{"__proto__":1}'), /__proto__/],
    'that is a form with half an escape': [create('name=%4', form), /percent escape/],
    'that is a form with an escape that is not UTF-8': [create('name=%ff&price=1', form), /percent escape/],
    'that is a form with a field sent twice': [create('name=a&name=b&price=1', form), /"name" is sent twice/],
  })

  refuses('invalid-body', {
    'that is a list': [create('[]'), /must be a JSON object/],
    'that is a text': [create('"x"'), /must be a JSON object/],
    'that is null, which says as little as none': [create('null'), /name is required/],
    'that is a number': [create('7'), /must be a JSON object/],
    'without what is required': [create('{}'), /name is required; .*price is required/],
    'with a text for a number': [create('{"name":"Roof","price":"1"}'), /price must be a number/],
    'with a number for a text': [create('{"name":1,"price":1}'), /name must be a string/],
    'with null for a number': [create('{"name":"Roof","price":null}'), /price must be a number/],
    'with a number beyond all': [create('{"name":"Roof","price":1e400}'), /price must be between 0 and 1000000000000/],
    'with a fourth decimal': [
      create('{"name":"Roof","price":0.30000000000000004}'),
      /price must have at most as many decimals as its currency/,
    ],
    'with a negative price': [create('{"name":"Roof","price":-0.01}'), /price must be between/],
    'with a misspelt member': [member('"currrency":"EUR"'), /currrency is not known here, did you mean currency/],
    'with constructor': [member('"constructor":{"prototype":{}}'), /constructor is not known/],
    'with a NUL': [create('{"name":"a\\u0000b","price":1}'), /control character U\+0000/],
    'with a control character': [member('"owner":"a\\u001bb"'), /control character U\+001B/],
    'with U+FFFF': [member('"owner":"\\uffff"'), /U\+FFFF/],
    'with half a surrogate pair': [member('"owner":"\\ud83d"'), /lone surrogate/],
    'with a day that does not exist': [
      member('"completionDate":"2026-02-29"'),
      /completionDate must be a calendar date/,
    ],
    'with a customer that does not exist': [
      member('"customerId":999999'),
      /names customer 999999, which does not exist/,
    ],
    'with a customer that no id can be': [member('"customerId":1.5'), /customerId must be an integer/],
    'with a name that is too long': [
      create(`{"name":"${'x'.repeat(201)}","price":1}`),
      /at most 200 characters, not 201/,
    ],
    'that is a form with constructor': [create('constructor=x', form), /constructor is not known/],
    'that is a form with __proto__': [create('__proto__=x', form), /__proto__ is not known/],
    'that is a form with a text for a number': [create('name=x&price=1e2', form), /price must be a number/],
  })

  refuses('body-too-large', {
    'of a byte more than 1 MiB': [create(`"${'x'.repeat(1_048_575)}"`), /1048576/],
    'that says it is larger than it may be': [
      () =>
        'POST /rest/v1/deals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2097152\r\n\r\n',
      /1048576/,
    ],
    'in chunks of more than 1 MiB': [chunked('x'.repeat(65_536), 17), /1048576/],
  })

  test('of exactly 1 MiB is read', async () => {
    const answer = await send(create(`"${'x'.repeat(1_048_574)}"`))
    assert.equal(problemOf(answer).code, 'invalid-body')
  })

  refuses('unsupported-media-type', {
    'without a type': [request('POST', '/rest/v1/deals', { body: '{}', type: null }), /application\/json/],
    'of plain text': [create('{}', 'text/plain'), /application\/json/],
    'of another JSON': [create('{}', 'application/vnd.api+json'), /application\/json/],
    'of XML': [create('<deal/>', 'application/xml'), /application\/json/],
    'of several parts': [create('--x--', 'multipart/form-data; boundary=x'), /application\/json/],
    'with a type that is none': [create('{}', ';;;'), /application\/json/],
    'of a merge patch where none is read': [
      create('{}', 'application/merge-patch+json'),
      /merge-patch\+json is not read/,
    ],
    'where none is read': [request('DELETE', '/webhooks/1', { body: '{"a":1}' }), /No body is read here/],
    'that is compressed': [
      request('POST', '/rest/v1/deals', { body: '{}', headers: 'Content-Encoding: gzip\r\n' }),
      /Content-Encoding "gzip"/,
    ],
  })
})

describe('a body about a deal', () => {
  const update = (body: string) => () => request('PUT', `/rest/v1/deals/${deal}`, { body })()
  const command = (body: string) => request('PUT', '/rest/commands/c-1', { body })

  refuses('invalid-body', {
    'of a deletion with a member, as in every form': [
      () => request('DELETE', `/rest/v1/deals/${deal}`, { body: '{"a":1}' })(),
      /a is not known here/,
    ],
    'whose action is an object': [update('{"action":{"toString":1,"valueOf":1}}'), /action must be a string/],
    'whose action is a list': [update('{"action":["hold"]}'), /action must be a string/],
    'whose parameters are a list': [update('{"action":"hold","params":[]}'), /params must be a JSON object/],
    'with an envelope that has more in it': [
      update('{"action":"hold","params":{"reason":"x"},"reason":"x"}'),
      /reason is not known/,
    ],
    'that holds without a reason': [update('{"held":true}'), /holdReason is required/],
    'with a field that only an operation sets': [
      update('{"status":"completed"}'),
      /status is changed by one of the operations complete, cancel, reopen/,
    ],
    'that names no deal': [command('{"action":"hold","params":{"reason":"x"}}'), /deal is required/],
    'whose deal is an object with unknown members': [
      command('{"deal":{"toString":1,"valueOf":1},"action":"hold"}'),
      /toString is not known here; valueOf is not known here/,
    ],
  })
  refuses('deal-not-found', {
    'whose deal is a number': [command('{"deal":7,"action":"hold"}'), /There is no deal "7"/],
    'whose deal is no UUID': [command('{"deal":"x","action":"hold"}'), /There is no deal "x"/],
    'whose deal is SQL': [command(`{"deal":"' OR 1=1 --","action":"hold"}`), /There is no deal/],
  })
  refuses('unknown-action', {
    'with a misspelt action': [update('{"action":"HoldDel"}'), /did you mean HoldDeal/],
    'with the name of a prototype': [update('{"action":"constructor"}'), /no operation "constructor"/],
    'with an endless action': [update(`{"action":"${'x'.repeat(10_000)}"}`), /no operation "x{64}…"/],
  })
  refuses('ambiguous-form', {
    'of an action and fields': [update('{"action":"hold","params":{"reason":"x"},"name":"x"}'), /name/],
  })
})

describe('an address', () => {
  const get = (path: string) => request('GET', path)

  refuses('malformed-request', {
    'with half an escape': [get('/customers/%4'), /percent escape/],
    'with an escape that is none': [get('/customers/%zz'), /percent escape/],
    'with an escape that is not UTF-8': [get('/rest/v1/deals/%ff'), /percent escape/],
    'with a bad escape where nothing is': [get('/%zz'), /percent escape/],
    'with a fragment': [get('/customers#top'), /fragment/],
    'without a slash': [get('customers'), /url/i],
    'that is a star': [get('*'), /OPTIONS/],
    'with a raw letter beyond ASCII': [get('/customers/ü'), /url/i],
    'with a bad command id': [request('PUT', '/rest/commands/a%20b', { body: '{"action":"hold"}' }), /command id/],
    'with a command id that is too long': [
      request('PUT', `/rest/commands/${'x'.repeat(129)}`, { body: '{}' }),
      /1 to 128/,
    ],
    'with a command id that ends like a format': [request('PUT', '/rest/commands/a.json', { body: '{}' }), /format/],
  })
  refuses('address-too-long', {
    'of more than 8 KiB': [get(`/customers?name=${'a'.repeat(8200)}`), /8192/],
    'with an endless segment': [get(`/customers/${'a'.repeat(9000)}`), /too long|8192/],
    'of 20 KiB': [get(`/customers?name=${'a'.repeat(20_000)}`), /8192/],
    'of 60 KiB': [get(`/${'a'.repeat(60_000)}`), /8192/],
  })
  refuses('deal-not-found', {
    'of a deal that is no UUID': [get('/rest/v1/deals/7'), /There is no deal "7"/],
    'of a deal that does not exist': [get('/rest/v1/deals/01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'), /There is no deal/],
    'that climbs': [get('/rest/v1/deals/..%2f..%2fetc'), /There is no deal/],
    'with a NUL': [get('/rest/v1/deals/%00'), /There is no deal/],
  })
  refuses('customer-not-found', {
    'of a customer that is no number': [get('/customers/x'), /There is no customer "x"/],
    'of a customer beyond all numbers': [get('/customers/99999999999999999999'), /There is no customer/],
    'of a customer beyond a double': [get('/customers/9007199254740993'), /There is no customer 9007199254740993\./],
    'of customer 0': [get('/customers/0'), /There is no customer/],
  })
  refuses('not-found', {
    'that leads nowhere': [get('/nowhere'), /nothing at \/nowhere/],
    'with a slash too many': [get('//customers'), /nothing at/],
    'of an operation that is none': [
      () => request('PUT', `/rest/v1/deals/${deal}/explode`, { body: '{}' })(),
      /nothing at/,
    ],
    'of an unknown command': [request('POST', '/command/ExplodeDeal', { body: '{}' }), /no command "ExplodeDeal"/],
  })
  refuses('unknown-version', {
    'of a version that is not served': [get('/rest/v9/deals'), /no version "v9"; the versions are v1/],
  })
})

describe('a query', () => {
  const create = (query: string) => request('POST', `/rest/v1/deals?${query}`, { body: '{"name":"Roof","price":1}' })

  refuses('invalid-parameter', {
    'with a misspelt name on a write': [create('dry_run=true'), /dry_run is not known here, did you mean dry-run/],
    'with a name given twice': [create('dry-run=true&dry-run=true'), /dry-run is given twice/],
    'with a value that is none': [create('dry-run=yes'), /dry-run must be true or false/],
    'with a bad escape in a value': [create('dry-run=%zz'), /percent/],
    'with a bad escape in a name': [create('dry%zz=true'), /percent/],
    'with __proto__': [create('__proto__=x'), /__proto__ is not known/],
    'with constructor': [create('constructor'), /constructor is not known/],
    'on a deal': [() => request('GET', `/rest/v1/deals/${deal}?sort=id`)(), /sort is not known/],
    'with an unknown filter': [request('GET', '/customers?agee=18'), /agee .*did you mean age/],
    'with a filter that is no number': [request('GET', '/customers?age=1e2'), /age/],
    'with a filter that is not UTF-8': [request('GET', '/customers?name=%ff'), /name/],
    'with page given twice': [request('GET', '/customers?page=1&page=2'), /page/],
    'with a page that is none': [request('GET', '/customers?page=0'), /page/],
    'with a pattern that is none': [request('GET', '/customers?name.regex=('), /regex/],
  })
})

describe('a header', () => {
  const hold = (headers: string) => () =>
    request('PUT', `/rest/v1/deals/${deal}/hold`, { body: '{"reason":"x"}', headers })()

  refuses('invalid-header', {
    'If-Match that is no tag': [hold('If-Match: seven\r\n'), /If-Match/],
    'If-Match that is endless': [hold(`If-Match: "${'x'.repeat(5000)}"\r\n`), /If-Match/],
    'Idempotency-Key with a space': [hold('Idempotency-Key: a b\r\n'), /Idempotency-Key/],
    'Idempotency-Key that is empty': [hold('Idempotency-Key:\r\n'), /Idempotency-Key/],
    'Idempotency-Key that is endless': [hold(`Idempotency-Key: ${'x'.repeat(200)}\r\n`), /Idempotency-Key/],
  })
  refuses('headers-too-large', {
    'of 20 KiB': [request('GET', '/customers', { headers: `X-Long: ${'a'.repeat(20_000)}\r\n` }), /16384/],
    'one of thousands': [request('GET', '/customers', { headers: 'X: y\r\n'.repeat(5000) }), /16384/],
  })
  refuses('malformed-request', {
    'with a space before its colon': [request('GET', '/customers', { headers: 'X-A : b\r\n' }), /header/i],
    'with a NUL': [request('GET', '/customers', { headers: 'X-A: b\0c\r\n' }), /header/i],
    'folded over two lines': [request('GET', '/customers', { headers: 'X-A: b\r\n c\r\n' }), /well-formed/],
    'with a name that is none': [request('GET', '/customers', { headers: 'X(A): b\r\n' }), /header/i],
  })
  refuses('not-acceptable', {
    'Accept that names nothing we have': [
      request('GET', '/customers', { headers: 'Accept: image/png\r\n' }),
      /application\/json/,
    ],
  })
})

describe('a request', () => {
  const start =
    (line: string, headers = 'Host: localhost\r\n', rest = '') =>
    () =>
      `${line}\r\n${headers}\r\n${rest}`
  const post = (headers: string, rest: string) =>
    start('POST /rest/v1/deals HTTP/1.1', `Host: localhost\r\nContent-Type: application/json\r\n${headers}`, rest)

  refuses('unsupported-http-version', {
    'in HTTP/0.9': [() => 'GET /health/live\r\n\r\n', /HTTP\/0\.9/],
    'in HTTP/2.0, as text': [start('GET /health/live HTTP/2.0'), /HTTP\/2\.0/],
    'in HTTP/1.2': [start('GET /health/live HTTP/1.2'), /neither HTTP\/1\.0 nor HTTP\/1\.1/],
    'in HTTP/3.0': [start('GET /health/live HTTP/3.0'), /neither HTTP\/1\.0 nor HTTP\/1\.1/],
    'that begins as HTTP/2 does': [() => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /HTTP\/2/],
  })
  refuses('malformed-request', {
    'without a Host': [start('GET /health/live HTTP/1.1', ''), /0 Host headers/],
    'with two Hosts': [start('GET /health/live HTTP/1.1', 'Host: localhost\r\nHost: localhost\r\n'), /2 Host headers/],
    'with two Hosts in HTTP/1.0': [start('GET /health/live HTTP/1.0', 'Host: a\r\nhOST: b\r\n'), /2 Host headers/],
    'with an empty Host': [start('GET /health/live HTTP/1.1', 'Host:\r\n'), /not a host/],
    'with a Host of two words': [start('GET /health/live HTTP/1.1', 'Host: a b\r\n'), /"a b"/],
    'with a Host that is an address': [start('GET /health/live HTTP/1.1', 'Host: http://localhost/\r\n'), /not a host/],
    'with a user in its Host': [start('GET /health/live HTTP/1.1', 'Host: mila@localhost\r\n'), /not a host/],
    'with a port that is none': [start('GET /health/live HTTP/1.1', 'Host: localhost:http\r\n'), /not a host/],
    'that is TLS': [() => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /method/],
    'in http, written small': [start('GET / http/1.1'), /well-formed/],
    'with a length that is no number': [post('Content-Length: abc\r\n', '{}'), /Content-Length/],
    'with a negative length': [post('Content-Length: -1\r\n', '{}'), /Content-Length/],
    'with a length beyond all': [post('Content-Length: 99999999999999999999999\r\n', '{}'), /Content-Length/],
    'with two lengths': [post('Content-Length: 2\r\nContent-Length: 3\r\n', '{} '), /Content-Length/],
    'with a length and chunks': [
      post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
      /Content-Length/,
    ],
    'with chunks and a length': [
      post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'),
      /Content-Length/,
    ],
    'with a chunk of no size': [post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), /chunk/],
    'chunked twice': [post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'), /Transfer-Encoding/],
    'with chunks in HTTP/1.0': [
      start(
        'POST /rest/v1/deals HTTP/1.0',
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
        '0\r\n\r\n',
      ),
      /HTTP\/1\.0 has no Transfer-Encoding/,
    ],
  })
  refuses('not-implemented', {
    'with a method that nobody knows': [start('EXPLODE / HTTP/1.1'), /method/],
    'with a method in small letters': [start('get / HTTP/1.1'), /method/],
    'with gzip for a transfer coding': [post('Transfer-Encoding: gzip\r\n', ''), /chunked/],
    'with identity for a transfer coding': [post('Transfer-Encoding: identity\r\n', ''), /chunked/],
    'with gzip before chunked': [post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), /"gzip, chunked"/],
  })
  refuses('method-not-allowed', {
    'to be a tunnel': [start('CONNECT localhost:80 HTTP/1.1'), /CONNECT/],
    'with TRACE': [start('TRACE /customers HTTP/1.1'), /does not support TRACE/],
    'with a method of another protocol': [start('PROPFIND /customers HTTP/1.1'), /does not support PROPFIND/],
    'with a method that does not fit': [start('DELETE /customers HTTP/1.1'), /only GET, HEAD, QUERY, POST, OPTIONS/],
  })

  test('that names the whole address, has a strange expectation or offers to upgrade is answered', async () => {
    const strange = [
      start('GET http://localhost/health/live HTTP/1.1'),
      start('GET /health/live HTTP/1.1', 'Host: localhost\r\nExpect: the-unexpected\r\n'),
      start('GET /health/live HTTP/1.1', 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n'),
      start('GET /health/live HTTP/1.0', ''),
      start('GET /health/live HTTP/1.1', 'Host: [::1]:8080\r\n'),
      () => `\r\n${start('GET /health/live HTTP/1.1')()}`,
    ]
    for (const each of strange) assert.equal((await send(each)).status, 200, each())
    assert.equal((await send(start('OPTIONS * HTTP/1.1'))).status, 204)
  })

  test('that breaks off leaves nothing behind, not even in the log', async () => {
    for (const rest of ['', '{"name":', '{"name":"Roof","price":1}']) {
      const socket = await openSocket(url)
      socket.write(post('Content-Length: 100\r\n', rest)())
      socket.destroy()
    }
  })
})

type Sending = () => string | Buffer

/** One test for each bad thing: a problem of this code that says what is wrong. */
function refuses(code: ProblemCode, cases: { readonly [name: string]: readonly [Sending, RegExp] }): void {
  for (const [name, [sending, says]] of Object.entries(cases)) {
    test(`${name}: ${problemType(code).status} ${code}`, async () => {
      const answer = await send(sending)
      const problem = problemOf(answer)
      assert.equal(problem.code, code, answer.body)
      const told = [
        problem.detail,
        ...(problem.errors ?? []).map(({ pointer = '', detail }) => `${pointer.slice(1)} ${detail}`),
      ]
      assert.ok(
        told.some((each) => says.test(each)),
        answer.body,
      )
      if (answer.status === 405) assert.match(answer.headers.allow ?? '', /^GET, HEAD/)
    })
  }
}

interface ShownProblem {
  readonly code: string
  readonly detail: string
  readonly errors?: readonly { readonly pointer?: string; readonly detail: string }[]
}

function problemOf({ status, headers, body }: RawAnswer): ShownProblem {
  assert.equal(headers['content-type'], 'application/problem+json', body)
  assert.equal(headers['cache-control'], 'no-store')
  assert.doesNotMatch(body, /\bat .*\.(ts|js):\d+|node_modules|node:internal/)
  const problem = JSON.parse(body)
  assert.equal(problem.status, status)
  assert.equal(problem.type, `/problems/${problem.code}`)
  assert.match(problem.instance, /^urn:dealdesk:request:/)
  assert.equal(problem.title, problemType(problem.code as ProblemCode).title)
  return problem
}

async function send(sending: Sending): Promise<RawAnswer> {
  const socket = await openSocket(url)
  try {
    const answer = readAnswer(socket)
    // What the service refused before it was whole cannot always be written to the end.
    socket.on('error', () => {})
    const bytes = sending()
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes)
    return await answer
  } finally {
    socket.destroy()
  }
}

interface Sent {
  readonly body?: string | Buffer
  readonly type?: string | null
  readonly headers?: string
}

function request(method: string, path: string, { body, type = 'application/json', headers = '' }: Sent = {}): Sending {
  const content = Buffer.from(body ?? '')
  const about = body === undefined ? '' : `Content-Length: ${content.length}\r\n`
  const typed = body === undefined || type === null ? '' : `Content-Type: ${type}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${typed}${about}${headers}\r\n`
  return () => Buffer.concat([Buffer.from(head), content])
}

function chunked(chunk: string, count: number): Sending {
  const head = 'POST /rest/v1/deals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const each = `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  return () => `${head}Transfer-Encoding: chunked\r\n\r\n${each.repeat(count)}0\r\n\r\n`
}

/** Every row of every table. */
function everything(): string {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = ['customers', 'deals', 'events', 'commands']
    return JSON.stringify(tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()))
  } finally {
    db.close()
  }
}

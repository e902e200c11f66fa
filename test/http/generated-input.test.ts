import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { dealOperations } from '../../src/deals/operations.ts'
import { openSocket, readAnswer } from '../raw-socket.ts'
import { type ServiceProcess, spawnService, temporaryFolder } from '../service-process.ts'

// Requests that nobody thought of. A failure prints its seed: INPUT_SEED=… sends the same again, INPUT_RUNS=… more.

const folder = temporaryFolder('generated')
let service: ServiceProcess
let url: URL

before(async () => {
  service = spawnService({ DATABASE_URL: join(folder.path, 'dealdesk.db') })
  url = new URL(await service.ready)
})
after(async () => {
  service.process.kill('SIGTERM')
  const { code, stderr } = await service.ended
  folder.remove()
  assert.equal(stderr, '', 'something was logged as a defect')
  assert.equal(code, 0)
})

test('no request makes the service fail, hang or tell of its insides', async () => {
  const seed = process.env.INPUT_SEED === undefined ? {} : { seed: Number(process.env.INPUT_SEED) }
  const runs = Number(process.env.INPUT_RUNS ?? 1500)
  await fc.assert(fc.asyncProperty(request, checkAnswer), { numRuns: runs, ...seed })
})

const word = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'null',
    'true',
    'x',
    '__proto__',
    'constructor',
    '../..',
    '%00',
    '%ff',
    '%',
    '%2f',
    ';',
    '.json',
    '.xml',
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
  fc.string({ unit: 'binary-ascii', maxLength: 6 }).map((text) => text.replaceAll(/[\s#\0-\x20\x7f]/g, '~')),
)
const id = fc.oneof(fc.constant('01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'), fc.uuid(), word)
const segment = fc.constantFrom(
  'commands',
  'history',
  'actions',
  ...dealOperations.flatMap(({ name, words }) => [name, words.noun, ...words.participles]),
)
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/rest',
    '/customers',
    '/rest/v1/deals',
    '/rest/v1/deals/',
    '/rest/commands',
    '/query',
    '/events',
  ),
  fc
    .tuple(fc.constantFrom('/customers', '/rest/v1/deals', '/rest/commands', '/command', '/problems', '/query'), id)
    .map((each) => each.join('/')),
  fc.tuple(fc.constant('/rest/v1/deals'), id, segment).map((each) => each.join('/')),
  fc.tuple(fc.constant('/rest/v1/deals'), id, segment, word).map((each) => each.join('/')),
  fc.array(word, { maxLength: 5 }).map((each) => `/${each.join('/')}`),
)
const name = fc.oneof(
  fc.constantFrom(
    'page',
    'maxpagesize',
    'sort',
    'fields',
    'format',
    'after',
    'count',
    'empty',
    'dry-run',
    'gt',
    'min-age',
    'age>',
    'age<',
    'age!',
    'name.regex',
    'age.in',
    'price.gte',
    'held',
    'deleted',
  ),
  word,
)
const query = fc
  .array(
    fc.tuple(name, fc.constantFrom('=', '', '>=', '%3E'), word).map((each) => each.join('')),
    { maxLength: 4 },
  )
  .map((terms) => (terms.length === 0 ? '' : `?${terms.join('&')}`))
const header = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'Accept',
        'If-Match',
        'If-None-Match',
        'If-Modified-Since',
        'Idempotency-Key',
        'Prefer',
        'Expect',
        'Range',
        'Cookie',
        'Content-Encoding',
      ),
      fc.oneof(
        fc.constantFrom(
          '*',
          '*/*',
          'text/html',
          'application/xml;q=0.5',
          'text/csv',
          '"1-x"',
          'W/"1"',
          'return=minimal',
          'application/x-ndjson',
          ',',
          '=',
          ';q=9',
        ),
        fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '~')),
      ),
    )
    .map(([key, value]) => `${key}: ${value}\r\n`),
)
const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .record(
      { action: fc.jsonValue(), params: fc.jsonValue(), deal: fc.jsonValue(), id: fc.jsonValue() },
      { requiredKeys: [] },
    )
    .map((each) => JSON.stringify(each)),
  fc
    .record(
      {
        name: fc.jsonValue(),
        price: fc.jsonValue(),
        reason: fc.jsonValue(),
        held: fc.jsonValue(),
        revision: fc.jsonValue(),
        email: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((each) => JSON.stringify(each)),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const body = fc.option(
  fc.record({
    type: fc.constantFrom(
      'application/json',
      'application/json',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'x',
      '',
    ),
    content: fc.oneof(
      json.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    ),
  }),
)

const request = fc.record({
  method: fc.constantFrom(
    'GET',
    'GET',
    'HEAD',
    'POST',
    'POST',
    'PUT',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'QUERY',
    'LINK',
  ),
  path,
  query,
  headers: fc.array(header, { maxLength: 3 }),
  body,
})

type Request = typeof request extends fc.Arbitrary<infer R> ? R : never

async function checkAnswer({ method, path, query, headers, body }: Request): Promise<void> {
  const socket = await openSocket(url)
  try {
    const answer = readAnswer(socket, { head: method === 'HEAD' })
    const about = body === null ? '' : `Content-Type: ${body.type}\r\nContent-Length: ${body.content.length}\r\n`
    socket.write(`${method} ${path}${query} HTTP/1.1\r\nHost: localhost\r\n${headers.join('')}${about}\r\n`)
    if (body !== null) socket.write(body.content)
    const { status, headers: got, body: text } = await answer
    assert.ok(status < 500, `${status} ${text}`)
    assert.doesNotMatch(text, /\bat .*\.(ts|js):\d+|node_modules|node:internal|SQLITE/)
    if (status >= 400) assert.match(got['content-type'] ?? '', /^(application\/problem\+(json|xml)|text\/html)/)
  } finally {
    socket.destroy()
  }
}

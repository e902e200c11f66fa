import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { addKey } from '../../src/access/as-operator.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import { runService } from '../support/service/running-service.ts'

// A user has a share of the live streams of a process, and leaves the others theirs. decisions/0020

const SHARE = 100
const EVENTS = '/events'
const LIST = '/rest/v1/tasks'

let service: ClosedService
before(async () => {
  service = await runClosedService()
})
after(() => service.close())

type Credential = { readonly authorization?: string }

/** A stream that was answered with its head. */
interface Opened {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly close: () => Promise<void>
}

function open(url: string, path: string, credential: Credential): Promise<Opened> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', ...credential }
    const sent = httpRequest({ hostname, port, path, headers, agent: false }, (response) => {
      response.on('error', () => {}).resume()
      const closed = new Promise<void>((done) => response.once('close', done))
      const close = (): Promise<void> => {
        sent.destroy()
        return closed
      }
      resolve({ status: response.statusCode ?? 0, headers: response.headers, close })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const openMany = (count: number, path: (n: number) => string, credential: (n: number) => Credential) =>
  Promise.all(Array.from({ length: count }, (_, n) => open(service.url, path(n), credential(n))))

const statuses = (opened: readonly Opened[]): ReadonlyMap<number, number> =>
  new Map([200, 429, 503].map((status) => [status, opened.filter((each) => each.status === status).length]))

test('a user has a share of the streams, with all keys and the password, and others have theirs', async (t) => {
  const own = await addKey(service.store, { name: 'own', user: 'reader', role: 'reader' })
  assert.ok('key' in own)
  const credentials = [basic('reader'), bearer(own.key)] as const
  // At once, so that none sees how many others there will be.
  const all = await openMany(
    SHARE + 30,
    (n) => (n % 3 === 0 ? EVENTS : n % 3 === 1 ? LIST : `${LIST}?snapshot=true`),
    (n) => credentials[n % 2] ?? {},
  )
  t.after(() => Promise.all(all.map(({ close }) => close())))
  assert.deepEqual([...statuses(all).values()], [SHARE, 30, 0])
  const refused = all.find(({ status }) => status === 429)
  assert.equal(refused?.headers['retry-after'], '10')
  const { text } = await service.request('GET', EVENTS, {
    headers: { accept: 'text/event-stream', ...basic('reader') },
  })
  assert.partialDeepStrictEqual(JSON.parse(text), { code: 'too-many-requests', status: 429 })
  // A page, and whatever is no stream.
  assert.equal((await service.request('GET', LIST, { headers: basic('reader') })).status, 200)
  for (const credential of [basic('editor'), bearer(service.keys.reader)]) {
    const other = await open(service.url, LIST, credential)
    assert.equal(other.status, 200)
    await other.close()
  }
  await all.find(({ status }) => status === 200)?.close()
  await openedAgain(credentials[0])
})

/** Whoever goes makes room, once the service has noticed. */
async function openedAgain(credential: Credential): Promise<void> {
  for (;;) {
    const again = await open(service.url, LIST, credential)
    await again.close()
    if (again.status === 200) return
    assert.equal(again.status, 429)
  }
}

test('a service without users tells nobody apart', async () => {
  const anybodys = await runService()
  const all = await Promise.all(Array.from({ length: SHARE + 5 }, () => open(anybodys.url, EVENTS, {})))
  assert.deepEqual([...statuses(all).values()], [SHARE + 5, 0, 0])
  for (const { close } of all) await close()
  await anybodys.close()
})

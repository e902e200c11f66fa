import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openFeed } from '../../src/events/feed.ts'
import { fieldOf } from '../../src/queries/collection.ts'
import type { Filter } from '../../src/queries/query.ts'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { collections } from '../support/schema.ts'
import { basic, bearer, runClosedService } from '../support/service/closed-service.ts'
import { openEventSource, sequencesOf } from '../support/service/event-source.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'
import { signedIn } from '../support/service/signing-in.ts'

let service: FeedService
before(async () => {
  service = await runFeedService()
})
after(() => service.close())

test('a stream begins now, and shows what happens from then on as it happens', async () => {
  const deal = await service.createDeal()
  const source = await service.follow()
  assert.equal(source.response.statusCode, 200)
  assert.equal(source.response.headers['content-type'], 'text/event-stream')
  assert.equal(source.response.headers['cache-control'], 'private, no-cache')
  assert.match(source.response.headers.vary ?? '', /accept/i)
  for (const text of ['one', 'two\nlines', 'three ☃']) await service.addNote(deal, text)
  await source.received(3)
  const events = source.messages.map(({ data }) => JSON.parse(data))
  assert.deepEqual(
    events.map(({ data }) => data.params.text),
    ['one', 'two\nlines', 'three ☃'],
  )
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    sequencesOf(source),
  )
  assert.deepEqual(
    source.messages.map(({ type }) => type),
    ['deal.note-added', 'deal.note-added', 'deal.note-added'],
  )
  assert.equal(source.retry, 2000)
  const page = (await (await service.send('GET', `/events?deal=${deal}`)).json()) as { items: unknown[] }
  assert.deepEqual(events, page.items.slice(-3))
  source.close()
})

testOnEachStore('a stream goes on after a sequence, and Last-Event-ID knows better than after', async () => {
  await service.createDeal()
  const all = await service.sequences()
  const afterFirst = await service.follow(`?after=${all[0]}`)
  await afterFirst.received(all.length - 1)
  assert.deepEqual(sequencesOf(afterFirst), all.slice(1))
  const resumed = await service.follow(`?after=${all[0]}`, { 'last-event-id': String(all[1]) })
  await resumed.received(all.length - 2)
  assert.deepEqual(sequencesOf(resumed), all.slice(2))
  afterFirst.close()
  resumed.close()
})

testOnEachStore('a stream that is cut off before its first event resumes without loss', async () => {
  const first = await service.follow()
  while (first.lastEventId === '') await wait(5)
  first.close()
  const deal = await service.createDeal()
  const second = await service.follow(`?deal=${deal}`, { 'last-event-id': first.lastEventId })
  await second.received(1)
  second.close()
})

testOnEachStore('readers that come and go while many write see each event once and in order', async () => {
  const start = (await service.sequences()).at(-1) ?? ''
  const deals = await Promise.all(Array.from({ length: 6 }, () => service.createDeal()))
  const writers = deals.map(async (deal, at) => {
    for (let n = 0; n < 15; n++) await service.addNote(deal, `note ${at} ${n}`)
  })
  const seen: string[] = []
  let last = start
  let end: string | undefined
  const reader = async (): Promise<void> => {
    for (let cut = 5; last !== end; cut = (cut * 7) % 41) {
      const source = await service.follow('', { 'last-event-id': last })
      while (source.messages.length <= cut && (source.lastEventId || last) !== end) await wait(5)
      source.close()
      seen.push(...sequencesOf(source))
      last = source.lastEventId || last
    }
  }
  const reading = reader()
  await Promise.all(writers)
  end = (await service.sequences(`?sequence.gt=${start}`)).at(-1)
  await reading
  // Behind the end there is nothing but what comes next.
  const source = await service.follow('', { 'last-event-id': last })
  await service.addNote(deals[0] ?? '', 'one more')
  await source.received(1)
  source.close()
  assert.deepEqual([...seen, ...sequencesOf(source)], await service.sequences(`?sequence.gt=${start}`))
})

test('filters hold for the stream', async () => {
  const [one, other] = [await service.createDeal(), await service.createDeal()]
  const notes = await service.follow(`?deal=${one}&type=deal.note-added`)
  const holds = await service.follow('?type=deal.held&type=deal.unheld')
  await service.addNote(other, 'not for this one')
  await service.addNote(one, 'first')
  await service.send('PUT', `/rest/v1/deals/${other}/hold`, { reason: 'x' })
  await service.send('PUT', `/rest/v1/deals/${other}/unhold`, {})
  await service.addNote(one, 'second')
  // The last one is the last: what a filter let through besides would have come before it.
  await Promise.all([notes.received(2), holds.received(2)])
  assert.deepEqual(
    notes.messages.map(({ data }) => JSON.parse(data).data.params.text),
    ['first', 'second'],
  )
  assert.deepEqual(
    holds.messages.map(({ data }) => JSON.parse(data).type),
    ['deal.held', 'deal.unheld'],
  )
  notes.close()
  holds.close()
})

testOnEachStore('the place moves on where a filter lets nothing through', async (t) => {
  const deal = await service.createDeal()
  const feed = openFeed(service.store, { followers: 1, share: 1, heartbeat: 20, pause: 5 })
  t.after(() => feed.close())
  const filter: Filter = [{ field: fieldOf(collections.events, 'type'), operator: 'eq', values: ['deal.restored'] }]
  const start = await feed.head()
  const stream = feed.follow(start, filter)
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk
  })
  await service.addNote(deal, 'not for this one')
  while ((await feed.head()) === start) await wait(5)
  const head = await feed.head()
  while (text.match(/^id: (.*)$/gm)?.at(-1) !== `id: ${head}`) await wait(5)
  assert.doesNotMatch(text, /data:/)
  feed.close()
})

testOnEachStore('events that another process writes to the same database are seen', async () => {
  const deal = await service.createDeal()
  const source = await service.follow(`?deal=${deal}`)
  const script = new URL('../support/database/other-writer.ts', import.meta.url).pathname
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [script, service.database.url, deal], (cause, stdout) =>
      cause === null ? resolve(stdout) : reject(cause),
    )
  })
  assert.equal(printed, 'applied')
  await source.received(1)
  source.close()
})

test('a stream ends with the credential that opened it, and shows nothing from then on', async (t) => {
  const closed = await runClosedService()
  t.after(() => closed.close())
  const admin = (method: string, path: string, body?: object) =>
    closed.request(method, path, { headers: basic('admin'), ...(body && { body }) })
  const addDeal = () => admin('POST', '/rest/v1/deals/', { name: 'Roof', price: 1 })
  const keyOf = async (name: string) =>
    bearer(String((await admin('POST', '/users/reader/keys', { name, role: 'reader' })).body.secret))
  const password = 'another four words'
  const cookie = await signedIn(closed, 'reader')
  const ends: readonly [string, Headers, () => Promise<unknown>][] = [
    ['sign-out', cookie, () => closed.request('POST', '/sign-out', { headers: cookie, body: new URLSearchParams() })],
    ['withdrawal', await keyOf('withdrawn'), () => admin('DELETE', '/users/reader/keys/withdrawn')],
    ['end of a session', await signedIn(closed, 'reader'), () => admin('DELETE', '/users/reader/sessions')],
    ['password', basic('reader'), () => admin('PUT', '/users/reader/password', { password })],
    ['disabling', basic('reader', password), () => admin('PATCH', '/users/reader', { disabled: true })],
    ['removal', basic('editor'), () => admin('DELETE', '/users/editor')],
  ]
  const kept = await openEventSource(`${closed.url}/events`, basic('admin'))
  for (const [what, headers, end] of ends) {
    const busy = await openEventSource(`${closed.url}/events`, headers)
    await addDeal()
    await busy.received(1)
    await end()
    await addDeal()
    await busy.ended
    assert.equal(busy.messages.length, 1, what)
  }
  await kept.received(2 * ends.length)
  kept.close()
})

test('a stream on which nothing happens ends with its credential too', async (t) => {
  const closed = await runClosedService()
  t.after(() => closed.close())
  // A key that ended before the stream began, on a busy machine, proves nothing: the next one lasts longer.
  for (let lasts = 1000; ; lasts *= 2) {
    const endsAt = new Date(Date.now() + lasts).toISOString()
    const body = { name: `for ${lasts} ms`, role: 'reader', endsAt }
    const made = await closed.request('POST', '/users/reader/keys', { headers: basic('admin'), body })
    const source = await openEventSource(`${closed.url}/events`, bearer(String(made.body.secret)))
    await source.ended
    assert.ok(new Date().toISOString() >= endsAt)
    if (source.response.statusCode === 200) break
  }
})

test('a stream of an open service ends when the first user closes it', async (t) => {
  const open = await runFeedService()
  t.after(() => open.close())
  const source = await open.follow()
  const first = { name: 'ann', role: 'admin', password: 'four words in a row' }
  assert.equal((await open.send('POST', '/users', first)).status, 201)
  await source.ended
})

type Headers = { readonly [name: string]: string }

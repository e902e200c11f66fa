import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { Server } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openFeed } from '../../src/events/feed.ts'
import { fieldOf } from '../../src/queries/collection.ts'
import { collections } from '../../src/queries/collections.ts'
import type { Filter } from '../../src/queries/query.ts'
import { type EventSource, openEventSource } from '../support/service/event-source.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'

let service: FeedService
before(async () => {
  service = await runFeedService()
})
after(() => service.close())

const follow = async (query = '', headers: { readonly [name: string]: string } = {}) => {
  await service.database.settled()
  return openEventSource(`${service.url}/events${query}`, headers)
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heldInBuffers(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

const sequences = ({ messages }: EventSource): readonly string[] => messages.map(({ lastEventId }) => lastEventId)

async function everySequence(query = ''): Promise<readonly string[]> {
  const text = await (await service.send('GET', `/events.ndjson${query}`)).text()
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { sequence: string }).sequence)
}

test('a stream begins now, and shows what happens from then on as it happens', async () => {
  const deal = await service.createDeal()
  const source = await follow()
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
    sequences(source),
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

test('a stream goes on after a sequence, and Last-Event-ID knows better than after', async () => {
  await service.createDeal()
  const all = await everySequence()
  const afterFirst = await follow(`?after=${all[0]}`)
  await afterFirst.received(all.length - 1)
  assert.deepEqual(sequences(afterFirst), all.slice(1))
  const resumed = await follow(`?after=${all[0]}`, { 'last-event-id': String(all[1]) })
  await resumed.received(all.length - 2)
  assert.deepEqual(sequences(resumed), all.slice(2))
  afterFirst.close()
  resumed.close()
})

test('a stream that is cut off before its first event resumes without loss', async () => {
  const first = await follow()
  while (first.lastEventId === '') await wait(5)
  first.close()
  const deal = await service.createDeal()
  const second = await follow(`?deal=${deal}`, { 'last-event-id': first.lastEventId })
  await second.received(1)
  second.close()
})

test('readers that come and go while many write see each event once and in order', async () => {
  const start = (await everySequence()).at(-1) ?? ''
  const deals = await Promise.all(Array.from({ length: 8 }, () => service.createDeal()))
  const writers = deals.map(async (deal, at) => {
    for (let n = 0; n < 60; n++) await service.addNote(deal, `note ${at} ${n}`)
  })
  const seen: string[] = []
  let last = start
  let end: string | undefined
  const reader = async (): Promise<void> => {
    for (let cut = 5; last !== end; cut = (cut * 7) % 41) {
      const source = await follow('', { 'last-event-id': last })
      while (source.messages.length <= cut && (source.lastEventId || last) !== end) await wait(5)
      source.close()
      seen.push(...sequences(source))
      last = source.lastEventId || last
    }
  }
  const reading = reader()
  await Promise.all(writers)
  end = (await everySequence(`?sequence.gt=${start}`)).at(-1)
  await reading
  // Behind the end there is nothing but what comes next.
  const source = await follow('', { 'last-event-id': last })
  await service.addNote(deals[0] ?? '', 'one more')
  await source.received(1)
  source.close()
  assert.deepEqual([...seen, ...sequences(source)], await everySequence(`?sequence.gt=${start}`))
})

test('filters hold for the stream', async () => {
  const [one, other] = [await service.createDeal(), await service.createDeal()]
  const notes = await follow(`?deal=${one}&type=deal.note-added`)
  const holds = await follow('?type=deal.held&type=deal.unheld')
  await service.addNote(other, 'not for this one')
  await service.addNote(one, 'first')
  await service.send('PUT', `/rest/v1/deals/${other}/hold`, { reason: 'x' })
  await service.send('PUT', `/rest/v1/deals/${other}/unhold`, {})
  await service.addNote(one, 'second')
  await Promise.all([notes.received(2), holds.received(2)])
  await wait(50)
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

test('a hundred readers all see the same', async () => {
  const deal = await service.createDeal()
  const sources = await Promise.all(Array.from({ length: 100 }, (_, n) => follow(n % 2 ? `?deal=${deal}` : '')))
  await Promise.all(Array.from({ length: 50 }, (_, n) => service.addNote(deal, `note ${n}`)))
  await Promise.all(sources.map((source) => source.received(50)))
  const all = await everySequence(`?deal=${deal}&type=deal.note-added`)
  for (const source of sources) {
    assert.deepEqual(sequences(source), all)
    source.close()
  }
})

test('a reader that does not read costs no memory and delays nobody', async () => {
  const deal = await service.createDeal()
  // Every event shows the whole deal: 30 kB each.
  await service.send('PUT', `/rest/v1/deals/${deal}/describe`, { description: '☃'.repeat(10_000) })
  const { port } = new URL(service.url)
  const stuck = connect(Number(port), '127.0.0.1')
  stuck.write('GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n')
  await new Promise((resolve) => stuck.once('data', resolve))
  stuck.pause()
  const quick = await follow()
  let taken = 0
  // Eighteen megabytes: far beyond what the sockets' own buffers take.
  const before = heldInBuffers()
  for (let n = 1; n <= 12; n++) {
    await Promise.all(Array.from({ length: 50 }, (_, at) => service.addNote(deal, `${n} ${at}`)))
    await quick.received(50)
    taken += quick.messages.splice(0).length
  }
  // What was let go is swept in the background.
  let grown = heldInBuffers() - before
  for (let tries = 0; grown >= 5e6 && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    grown = heldInBuffers() - before
  }
  assert.equal(taken, 600)
  assert.ok(grown < 5e6, `the buffers grew by ${grown} bytes`)
  quick.close()
  stuck.destroy()
})

test('the room is for so many readers, and whoever goes makes room', async (t) => {
  const deal = await service.createDeal()
  const start = (await everySequence(`?deal=${deal}`))[0] ?? ''
  const feed = openFeed(service.store, { followers: 1, heartbeat: 20, pause: 5 })
  t.after(() => feed.close())
  const gone = feed.follow(start, [])
  assert.equal(feed.hasRoom(), false)
  for (let n = 0; n < 100; n++) await service.addNote(deal, `note ${n}`)
  gone.destroy()
  await new Promise((resolve) => gone.once('close', resolve))
  assert.equal(feed.hasRoom(), true)
  const read = feed.follow(start, [])
  let text = ''
  read.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const lines = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  while (lines(/^data: /gm) < 100) await wait(5)
  const signs = lines(/^: still here$/gm)
  while (lines(/^: still here$/gm) < signs + 2) await wait(5)
  assert.equal(lines(/^data: /gm), 100)
  feed.close()
  await new Promise((resolve) => read.once('close', resolve))
  assert.equal(feed.hasRoom(), false)
})

test('the place moves on where a filter lets nothing through', async (t) => {
  const deal = await service.createDeal()
  const feed = openFeed(service.store, { followers: 1, heartbeat: 20, pause: 5 })
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

test('events that another process writes to the same database are seen', async () => {
  const deal = await service.createDeal()
  const source = await follow(`?deal=${deal}`)
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

test('a stream is only had by its name, and only where there is one', async () => {
  const status = async (path: string, accept: string, method = 'HEAD') => {
    const response = await service.send(method, path, undefined, { accept })
    return `${response.status} ${response.headers.get('content-type')?.split(';')[0]}`
  }
  assert.equal(await status('/events', 'text/event-stream'), '200 text/event-stream')
  assert.equal(await status('/events', 'Text/Event-Stream, */*;q=0.1'), '200 text/event-stream')
  assert.equal(await status('/events', 'text/*'), '200 text/html')
  assert.equal(await status('/events', '*/*'), '200 application/json')
  assert.equal(await status('/events', 'application/json, text/event-stream'), '200 application/json')
  assert.equal(await status('/events', 'application/json;q=0.5, text/event-stream'), '200 text/event-stream')
  assert.equal(await status('/events', 'text/event-stream;q=0, application/xml'), '200 application/xml')
  assert.equal(await status('/events.csv', 'text/event-stream'), '200 text/csv')
  assert.equal(await status('/customers', 'text/event-stream', 'GET'), '406 application/problem+json')
  for (const query of ['?page=1', '?maxpagesize=5', '?sort=-sequence', '?count=exact', '?after=9', '?type=none']) {
    assert.equal(await status(`/events${query}`, 'text/event-stream', 'GET'), '400 application/problem+json', query)
  }
  const bad = { accept: 'text/event-stream', 'last-event-id': 'x' }
  assert.equal((await service.send('GET', '/events', undefined, bad)).status, 400)
})

test('the end of the service ends the streams at once', async (t) => {
  const own = await runFeedService()
  const deal = await own.createDeal()
  const sources = await Promise.all(Array.from({ length: 5 }, () => openEventSource(`${own.url}/events`)))
  const stuck = await openEventSource(`${own.url}/events`)
  stuck.pause()
  await own.send('PUT', `/rest/v1/deals/${deal}/describe`, { description: '☃'.repeat(10_000) })
  await Promise.all(Array.from({ length: 400 }, () => own.addNote(deal, 'on and on')))
  await own.addNote(deal, 'last')
  await Promise.all(sources.map((source) => source.received(402)))
  // What is left open after some seconds would be cut off.
  const cut = t.mock.method(Server.prototype, 'closeAllConnections')
  await own.close()
  await Promise.all(sources.map(({ ended }) => ended))
  assert.equal(cut.mock.callCount(), 0)
  stuck.close()
  assert.ok(sources.every(({ response }) => response.complete))
})

import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openFeed } from '../../src/events/feed.ts'
import { openEventSource, sequencesOf } from '../support/service/event-source.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'

let service: FeedService
before(async () => {
  service = await runFeedService()
})
after(() => service.close())

test('a hundred readers all see the same', async () => {
  const deal = await service.createDeal()
  const sources = await Promise.all(Array.from({ length: 100 }, (_, n) => service.follow(n % 2 ? `?deal=${deal}` : '')))
  await Promise.all(Array.from({ length: 10 }, (_, n) => service.addNote(deal, `note ${n}`)))
  await Promise.all(sources.map((source) => source.received(10)))
  const all = await service.sequences(`?deal=${deal}&type=deal.note-added`)
  for (const source of sources) {
    assert.deepEqual(sequencesOf(source), all)
    source.close()
  }
})

test('a reader that does not read costs no memory and delays nobody', async (t) => {
  const deal = await service.createDeal()
  // Every event shows the whole deal: 30 kB each.
  await service.send('PUT', `/rest/v1/deals/${deal}/describe`, { description: '☃'.repeat(10_000) })
  const { port } = new URL(service.url)
  const stuck = connect(Number(port), '127.0.0.1')
  const answering = nextAnswer()
  stuck.write('GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n')
  const answer = await answering
  await new Promise((resolve) => stuck.once('data', resolve))
  stuck.pause()
  // What a follower holds for a connection that takes nothing of it.
  const feed = openFeed(service.store)
  t.after(() => feed.close())
  const unread = feed.follow(await feed.head(), [])
  unread.read(0)
  const quick = await service.follow()
  let held = 0
  // A megabyte and a half each: four more once the sockets' own buffers take nothing more.
  for (let n = 0, more = 4; more > 0; n++) {
    await Promise.all(Array.from({ length: 50 }, (_, at) => service.addNote(deal, `${n} ${at}`)))
    await quick.received(50)
    assert.equal(quick.messages.splice(0).length, 50)
    held = Math.max(held, answer.writableLength + unread.readableLength)
    if (answer.writableLength > 0) more--
  }
  assert.ok(unread.readableLength > 0, 'nothing was held for those who do not read')
  assert.ok(held < 5e6, `${held} bytes were held`)
  quick.close()
  stuck.destroy()
  unread.destroy()
})

/** The service's side of the next request. */
function nextAnswer(): Promise<ServerResponse> {
  const requests = channel('http.server.request.start')
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      requests.unsubscribe(take)
      resolve((message as { readonly response: ServerResponse }).response)
    }
    requests.subscribe(take)
  })
}

test('the room is for so many readers, and whoever goes makes room', async (t) => {
  const deal = await service.createDeal()
  const start = (await service.sequences(`?deal=${deal}`))[0] ?? ''
  const feed = openFeed(service.store, { followers: 1, share: 1, heartbeat: 20, pause: 5 })
  t.after(() => feed.close())
  const gone = feed.follow(start, [])
  assert.equal(feed.usedUp(null), 'all')
  for (let n = 0; n < 100; n++) await service.addNote(deal, `note ${n}`)
  gone.destroy()
  await new Promise((resolve) => gone.once('close', resolve))
  assert.equal(feed.usedUp(null), undefined)
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
  assert.equal(feed.usedUp(null), 'all')
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
  assert.equal(await status('/views', 'text/event-stream', 'GET'), '406 application/problem+json')
  for (const query of ['?page=1', '?maxpagesize=5', '?sort=-sequence', '?count=exact', '?after=9', '?type=none']) {
    assert.equal(await status(`/events${query}`, 'text/event-stream', 'GET'), '400 application/problem+json', query)
  }
  const bad = { accept: 'text/event-stream', 'last-event-id': 'x' }
  assert.equal((await service.send('GET', '/events', undefined, bad)).status, 400)
})

test('the end of the service ends the streams at once', async (t) => {
  const own = await runFeedService()
  const deal = await own.createDeal()
  const sources = await Promise.all(Array.from({ length: 2 }, () => openEventSource(`${own.url}/events`)))
  const stuck = await openEventSource(`${own.url}/events`)
  stuck.pause()
  await own.send('PUT', `/rest/v1/deals/${deal}/describe`, { description: '☃'.repeat(10_000) })
  await Promise.all(Array.from({ length: 250 }, () => own.addNote(deal, 'on and on')))
  await own.addNote(deal, 'last')
  await Promise.all(sources.map((source) => source.received(252)))
  // What is left open after some seconds would be cut off.
  const cut = t.mock.method(Server.prototype, 'closeAllConnections')
  await own.close()
  await Promise.all(sources.map(({ ended }) => ended))
  assert.equal(cut.mock.callCount(), 0)
  stuck.close()
  assert.ok(sources.every(({ response }) => response.complete))
})

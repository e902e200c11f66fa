import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openFeed } from '../../src/events/feed.ts'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { salesStages } from '../../src/model/source/pipeline-source.ts'
import { openStore } from '../../src/store/open.ts'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { type EventSource, openEventSource } from '../support/service/event-source.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'

let service: FeedService
before(async () => {
  service = await runFeedService()
})
after(() => service.close())

type Thing = { readonly [name: string]: unknown }

async function asked(method: string, path: string, body?: unknown): Promise<Thing & { readonly statusCode: number }> {
  const response = await service.send(method, path, body)
  const text = await response.text()
  return { ...(text === '' ? {} : (JSON.parse(text) as Thing)), statusCode: response.status }
}

const deal = async (members: Thing): Promise<string> =>
  String((await asked('POST', '/rest/v1/deals/', { name: 'Alpha', price: 10, ...members })).id)
const does = (id: string, operation: string, params: Thing = {}) =>
  asked('PUT', `/rest/v1/deals/${id}/${operation}`, params)

const listen = async (query: string, headers = {}): Promise<EventSource> => {
  await service.database.settled()
  const source = await openEventSource(`${service.url}${query}`, headers)
  assert.equal(source.response.statusCode, 200)
  return source
}

/** `enter A`, by the name of the thing, or what else the message says. */
const words = ({ messages }: EventSource): readonly string[] =>
  messages.map(({ type, data }) => `${type} ${(JSON.parse(data) as { name?: string }).name ?? ''}`.trim())

testOnEachStore('a live list tells what enters, changes and leaves it, and resumes without loss', async () => {
  const source = await listen('/rest/v1/deals?owner=live&price.gte=100')
  const id = await deal({ name: 'A', price: 150, owner: 'live' })
  await does(id, 'hold', { reason: 'wait' })
  await does(id, 'unhold')
  await does(id, 'change-price', { newPrice: 50, reason: 'less' })
  await does(id, 'rename', { newName: 'B' })
  await source.received(4)
  const leaving = source.messages.at(-1)
  assert.deepEqual([leaving?.type, JSON.parse(leaving?.data ?? '')], ['leave', { id }])
  source.close()
  await does(id, 'change-price', { newPrice: 100, reason: 'more' })
  await asked('DELETE', `/rest/v1/deals/${id}`)
  await does(id, 'restore')
  await deal({ name: 'other', price: 1000 })
  const again = await listen('/rest/v1/deals?owner=live&price.gte=100', { 'last-event-id': source.lastEventId })
  await again.received(3)
  const read = (await asked('GET', `/rest/v1/deals/${id}`)) as { readonly links?: unknown; readonly statusCode: number }
  const { links: _links, statusCode: _status, ...now } = read
  assert.deepEqual(words(source), ['enter A', 'change A', 'change A', 'leave'])
  assert.deepEqual(words(again), ['enter B', 'leave', 'enter B'])
  assert.deepEqual(JSON.parse(again.messages[2]?.data ?? ''), now)
  again.close()
})

testOnEachStore('a snapshot comes first, without ids, and is ready at its sequence', async () => {
  for (const name of ['S1', 'S2']) await deal({ name, owner: 'shot' })
  const source = await listen('/rest/v1/deals?owner=shot&snapshot=true&fields=name')
  await source.received(3)
  assert.deepEqual(words(source), ['enter S1', 'enter S2', 'ready'])
  const [first, , ready] = source.messages
  assert.deepEqual([first?.lastEventId, Object.keys(JSON.parse(first?.data ?? ''))], ['', ['id', 'name']])
  assert.deepEqual(JSON.parse(ready?.data ?? ''), { sequence: ready?.lastEventId })
  await deal({ name: 'S3', owner: 'shot' })
  await source.received(4)
  const again = await listen('/rest/v1/deals?owner=shot&snapshot=true', { 'last-event-id': ready?.lastEventId ?? '' })
  await again.received(1)
  assert.deepEqual([words(source).at(-1), ...words(again)], ['enter S3', 'enter S3'])
  for (const each of [source, again]) each.close()
})

testOnEachStore('a removed customer leaves the list', async () => {
  const source = await listen('/customers?country=DE')
  const { id } = await asked('POST', '/customers', { name: 'Anna', country: 'DE' })
  await asked('PATCH', `/customers/${id}`, { country: 'FR' })
  await asked('PATCH', `/customers/${id}`, { country: 'DE' })
  await asked('DELETE', `/customers/${id}`)
  await source.received(4)
  assert.deepEqual(words(source), ['enter Anna', 'leave', 'enter Anna', 'leave'])
  source.close()
})

/** The stages of the only pipeline in this order. */
async function arrange(...first: readonly string[]): Promise<void> {
  const names = [...first, ...salesStages.filter((name) => !first.includes(name))]
  const stages = names.map((name) => ({ name, title: name, likelihood: 50 }))
  assert.equal((await asked('PATCH', '/pipelines/sales', { stages })).statusCode, 200)
}
const behindLead = '/rest/v1/deals?owner=model&stage.gt=lead'

testOnEachStore('a reader who resumes after changes of the model is told once to read again', async () => {
  await arrange()
  const id = await deal({ name: 'first', owner: 'model' })
  const source = await listen(`${behindLead}&snapshot=true`)
  await source.received(1)
  source.close()
  await does(id, 'rename', { newName: 'second' })
  await arrange('qualified', 'lead')
  await does(id, 'rename', { newName: 'third' })
  await arrange('proposal', 'lead', 'qualified')
  const again = await listen(behindLead, { 'last-event-id': source.lastEventId })
  await again.ended
  assert.deepEqual([words(source), words(again)], [['ready'], ['reset']])
  const third = await listen(behindLead, { 'last-event-id': again.lastEventId })
  await does(id, 'move', { stage: 'qualified' })
  await third.received(1)
  assert.deepEqual(words(third), ['enter third'])
  third.close()
})

testOnEachStore(
  'a change of the model resets an open list once, and what came before has its old meaning',
  async () => {
    await arrange()
    const source = await listen(behindLead)
    const id = await deal({ name: 'first', owner: 'model', stage: 'qualified' })
    await arrange('qualified', 'lead')
    await does(id, 'rename', { newName: 'second' })
    await source.ended
    assert.deepEqual(words(source), ['enter first', 'reset'])
    const again = await listen(behindLead, { 'last-event-id': source.lastEventId })
    await does(id, 'move', { stage: 'proposal' })
    await again.received(1)
    assert.deepEqual(words(again), ['enter second'])
    again.close()
  },
)

testOnEachStore('a list whose filter was read by an earlier model is read again', async () => {
  const store = await openStore({ databaseUrl: service.database.url, currency: 'EUR' }, (cause) => {
    throw cause
  })
  const resource: Resource = resourceNamed(store.schemas.current, 'deal')
  await arrange('contract')
  await service.database.settled()
  const feed = openFeed(store)
  const place = await feed.head()
  const list = feed.followList({ resource, filter: [], show: String }, place)
  const told = (await text(list)).split('\n\n')
  assert.deepEqual(told.slice(1), [`id: ${place}\nevent: reset\ndata: {}`, ''])
  assert.ok(
    store.schemas.current.pipelines.some(({ stages }) => stages[0]?.name === 'contract'),
    'the model is adopted by then',
  )
  feed.close()
  await store.close()
  await arrange()
})

test('a live list is about each thing alone, and has no pages', async () => {
  const refusal = async (query: string): Promise<string> => {
    const response = await service.send('GET', query, undefined, { accept: 'text/event-stream' })
    assert.equal(response.status, 400, query)
    return ((await response.json()) as { detail: string }).detail
  }
  assert.match(await refusal('/rest/v1/deals?customer.country=DE'), /not part of the thing itself/)
  assert.match(await refusal('/rest/v1/deals?q=anna'), /not part of the thing itself/)
  assert.match(await refusal('/rest/v1/deals?snapshot=maybe'), /true or false/)
  for (const setting of [
    'sort=name',
    'page=2',
    'limit=5',
    'expand=customer',
    'group=stage',
    'count=exact',
    'empty=404',
  ]) {
    assert.match(await refusal(`/rest/v1/deals?${setting}`), /live list|currency/, setting)
  }
  await refusal('/rest/v1/deals?fields=name,customer.name')
  await refusal('/rest/v1/deals?asOf=2026-01-01T00:00:00Z')
  await refusal('/rest/v1/deals?owner=me')
  const page = await service.send('GET', '/rest/v1/deals?snapshot=true')
  assert.equal(page.status, 400)
  const source = await listen('/customers?q=anna')
  source.close()
})

// A model of the list, which shares nothing with the service: every message must lead to it.

interface Model {
  readonly query: string
  readonly matches: (deal: Thing) => boolean
}

const isLive = ({ deletedAt }: Thing): boolean => deletedAt === null
const models: readonly Model[] = [
  { query: 'price.gte=50&held=false', matches: (d) => isLive(d) && Number(d.price) >= 50 && d.held === false },
  { query: 'stage.in=lead,proposal', matches: (d) => isLive(d) && /^(lead|proposal)$/.test(String(d.stage)) },
  { query: 'not.or=(owner.eq.ann,held.eq.true)', matches: (d) => isLive(d) && d.owner !== 'ann' && d.held === false },
]

const CHANGES = Number(process.env.LIVE_CHANGES ?? 120)

testOnEachStore(
  `after each of ${CHANGES} changes by three writers every reader has the answer of its query`,
  async () => {
    await deal({ name: 'M', price: 70 })
    const start = (await service.sequences()).at(-1) ?? ''
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => deal({ name: `M${n}`, owner: 'ann' })))
    let isDone = false
    const readers = models.map(({ query }, at) => readOn(query, start, at, () => isDone))
    const writers = [0, 1, 2].map(async (writer) => {
      for (let n = 0; n < CHANGES / 3; n++) await changeSomething(ids, writer * 7919 + n)
    })
    const shots = models.map(({ query }) => snapshots(query, () => isDone))
    await Promise.all(writers)
    isDone = true
    await deal({ name: 'end', price: 50, owner: 'bob' })
    const told = await Promise.all(readers)
    const states = await statesAfter(start)
    for (const [at, { matches, query }] of models.entries()) {
      const matching = (things: ReadonlyMap<string, Thing>) =>
        [...things]
          .filter(([, thing]) => matches(thing))
          .map(([id]) => id)
          .toSorted()
      const own = new Set(matching(states.get(start) ?? new Map<string, Thing>()))
      for (const { lastEventId, type, data } of told[at] ?? []) {
        const { id } = JSON.parse(data) as { id: string }
        assert.equal(own.has(id), type !== 'enter', `${type} of ${id}`)
        if (type === 'leave') own.delete(id)
        else own.add(id)
        assert.deepEqual([...own].toSorted(), matching(states.get(lastEventId) ?? new Map<string, Thing>()), query)
      }
      assert.ok((told[at]?.length ?? 0) > 0)
      for (const { ids: shown, sequence } of (await shots[at]) ?? []) {
        assert.deepEqual(
          shown,
          matching(states.get(sequence < start ? start : sequence) ?? new Map<string, Thing>()),
          query,
        )
      }
    }
  },
)

/** Follows a list and is cut off now and then, until it has seen the last deal. */
async function readOn(query: string, start: string, seed: number, isDone: () => boolean) {
  const all: EventSource['messages'] = []
  for (let last = start, n = seed; ; n++) {
    const source = await listen(`/rest/v1/deals?${query}`, { 'last-event-id': last })
    const isEnd = (): boolean => source.messages.some(({ data }) => data.includes('"name":"end"'))
    for (let looks = 0; !isEnd() && (isDone() || looks < 20 + (n % 5) * 10); looks++) await wait(5)
    source.close()
    await source.ended
    all.push(...source.messages)
    if (isEnd()) return all
    last = source.lastEventId
  }
}

/** Snapshots while others write: the ids, and the sequence at which they match. */
async function snapshots(query: string, isDone: () => boolean) {
  const shots: { readonly ids: readonly string[]; readonly sequence: string }[] = []
  do {
    const source = await openEventSource(`${service.url}/rest/v1/deals?${query}&snapshot=true&fields=id`)
    while (!source.messages.some(({ type }) => type === 'ready')) await wait(5)
    source.close()
    const at = source.messages.findIndex(({ type }) => type === 'ready')
    const ids = source.messages.slice(0, at).map(({ data }) => (JSON.parse(data) as { id: string }).id)
    shots.push({ ids: ids.toSorted(), sequence: source.messages[at]?.lastEventId ?? '' })
  } while (!isDone())
  return shots
}

async function changeSomething(ids: readonly string[], seed: number): Promise<void> {
  const id = ids[(seed * 31) % ids.length] ?? ''
  const turns = [
    () => does(id, 'change-price', { newPrice: (seed * 37) % 100, reason: 'turn' }),
    () => does(id, 'hold', { reason: 'turn' }),
    () => does(id, 'unhold'),
    () => does(id, 'move', { stage: ['lead', 'proposal', 'contract'][seed % 3] }),
    () => does(id, 'assign', { owner: seed % 2 === 0 ? 'ann' : 'bob' }),
    () => asked('DELETE', `/rest/v1/deals/${id}`),
    () => does(id, 'restore'),
    () => does(id, 'rename', { newName: `N${seed}` }),
  ]
  await turns[(seed * 17) % turns.length]?.()
}

/** All deals after each event, as the feed has them. */
async function statesAfter(start: string): Promise<ReadonlyMap<string, ReadonlyMap<string, Thing>>> {
  const text = await (await service.send('GET', '/events.ndjson?type=deal.*')).text()
  const states = new Map<string, ReadonlyMap<string, Thing>>()
  let things: ReadonlyMap<string, Thing> = new Map()
  for (const line of text.trim().split('\n')) {
    const { sequence, data } = JSON.parse(line) as { sequence: string; data: { deal: Thing } }
    things = new Map(things).set(String(data.deal.id), data.deal)
    states.set(sequence <= start ? start : sequence, things)
  }
  return states
}

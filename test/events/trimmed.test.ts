import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openMaintenance } from '../../src/store/open.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'

let service: FeedService
let deal: string
let sequences: readonly string[]
before(async () => {
  service = await runFeedService()
  deal = await service.createDeal('Roof')
  for (const newName of ['one', 'two', 'three']) {
    assert.equal((await service.send('POST', `/rest/v1/deals/${deal}/renamings`, { newName })).status, 201)
  }
  const { items } = await read<Events>('/events')
  sequences = items.map(({ sequence }) => sequence)
  const boundary = await afterInstant(items.at(-1)?.time ?? '')
  assert.equal((await service.send('PUT', `/rest/v1/deals/${deal}/hold`, { reason: 'later' })).status, 200)
  const maintenance = await openMaintenance({ databaseUrl: service.database.url }, { mustExist: true })
  for await (const _ of maintenance.trim({ commands: undefined, events: boundary }));
})
after(() => service.close())

/** The first instant that the clock shows after the given one. */
async function afterInstant(last: string): Promise<string> {
  for (;;) {
    const now = new Date().toISOString()
    if (now > last) return now
    await turn()
  }
}

interface Events {
  readonly items: readonly { readonly sequence: string; readonly type: string; readonly time: string }[]
}

async function read<T>(path: string): Promise<T> {
  const response = await service.send('GET', path)
  assert.equal(response.status, 200)
  return (await response.json()) as T
}

test('the feed begins after what was trimmed', async () => {
  assert.deepEqual(
    (await read<Events>('/events')).items.map(({ type }) => type),
    ['deal.held'],
  )
  assert.equal((await read<Events>(`/events?after=${sequences.at(-1)}`)).items.length, 1)
  assert.equal((await read<Events>('/events?sort=-sequence')).items.length, 1)
})

test('a reader behind it is told where to begin', async () => {
  const refused = await service.send('GET', `/events?after=${sequences[1]}`)
  assert.equal(refused.status, 410)
  const { code, after: place, begin } = (await refused.json()) as Record<string, string>
  assert.deepEqual([code, place], ['events-trimmed', sequences.at(-1)])
  assert.ok(refused.headers.get('link')?.startsWith(`<${begin}>; rel="next"`))
  assert.equal((await read<Events>(String(begin))).items.length, 1)
  const filtered = await service.send('GET', `/events?type=deal.held&after=${sequences[1]}&maxpagesize=7`)
  const told = (await filtered.json()) as Record<string, string>
  assert.equal(told.begin, `/events?type=deal.held&maxpagesize=7&after=${sequences.at(-1)}`)
})

test('so is one who reads them through OData', async () => {
  const refused = await service.send('GET', `/odata/Events?$skiptoken=10.${sequences[1]}`)
  assert.equal(refused.status, 410)
  const { error } = (await refused.json()) as { error: { code: string } }
  assert.equal(error.code, 'events-trimmed')
})

test('so is one who follows the live stream or a live list from there', async () => {
  const headers = { accept: 'text/event-stream', 'last-event-id': String(sequences[0]) }
  for (const path of ['/events', '/rest/v1/deals?status=open']) {
    const behind = await service.send('GET', path, undefined, headers)
    assert.equal(behind.status, 410)
    assert.equal(((await behind.json()) as { code: string }).code, 'events-trimmed')
  }
})

test('a history keeps the creation and says how many entries are missing', async () => {
  const history = await read<{ items: readonly { revision: number }[]; trimmed: number }>(
    `/rest/v1/deals/${deal}/history`,
  )
  assert.deepEqual(
    history.items.map(({ revision }) => revision),
    [1, 4, 5],
  )
  assert.equal(history.trimmed, 2)
  const page = await service.send('GET', `/rest/v1/deals/${deal}/history`, undefined, { accept: 'text/html' })
  assert.match(await page.text(), /2 older entries are no longer kept\./)
})

test('a revision that is no longer kept is gone, by its number and by its time', async () => {
  const [, second] = (await read<{ items: readonly { at: string }[] }>(`/rest/v1/deals/${deal}/history`)).items
  const just = new Date(Date.parse(second?.at ?? '') - 1).toISOString()
  for (const moment of ['revision=3', `asOf=${just}`]) {
    const gone = await service.send('GET', `/rest/v1/deals/${deal}?${moment}`)
    assert.deepEqual([gone.status, ((await gone.json()) as { code: string }).code], [410, 'events-trimmed'])
  }
  const later = await service.send('GET', `/rest/v1/deals/${deal}?revision=9`)
  assert.deepEqual([later.status, ((await later.json()) as { code: string }).code], [404, 'revision-not-found'])
  assert.equal((await read<{ revision: number }>(`/rest/v1/deals/${deal}?revision=4`)).revision, 4)
})

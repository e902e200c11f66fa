import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { type FeedService, runFeedService } from '../support/service/feed-service.ts'

let service: FeedService
before(async () => {
  service = await runFeedService()
})
after(() => service.close())

interface CloudEvent {
  readonly [name: string]: unknown
  readonly sequence: string
  readonly data: { readonly [name: string]: unknown; readonly deal: { readonly id: string } }
}

interface EventPage {
  readonly items: readonly CloudEvent[]
  readonly hasMore: boolean
  readonly links: { readonly next?: string }
}

async function read(path: string): Promise<EventPage> {
  const response = await service.send('GET', path)
  assert.equal(response.status, 200)
  return (await response.json()) as EventPage
}

test('an applied operation is one CloudEvent with the deal it left behind', async () => {
  const deal = await service.createDeal('Beta')
  const held = await service.send(
    'POST',
    `/rest/v1/deals/${deal}/holds`,
    { reason: 'credit check' },
    { 'idempotency-key': 'key-1' },
  )
  assert.equal(held.status, 201)
  const { items } = await read(`/events?deal=${deal}&type=deal.held`)
  assert.equal(items.length, 1)
  const { time, sequence, id, data, ...rest } = items[0] as CloudEvent
  assert.deepEqual(rest, {
    specversion: '1.0',
    source: '/events',
    type: 'deal.held',
    subject: deal,
    datacontenttype: 'application/json',
  })
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(id, sequence)
  const { deal: after, ...said } = data
  const expected = { operation: 'hold', params: { reason: 'credit check' }, revision: 2, actor: null, form: 'noun' }
  assert.deepEqual(said, { ...expected, commandId: 'key-1' })
  const shown = (await (await service.send('GET', `/rest/v1/deals/${deal}`)).json()) as Record<string, unknown>
  delete shown.links
  assert.deepEqual(after, shown)
})

test('an operation without a command has no commandId', async () => {
  const deal = await service.createDeal()
  const { items } = await read(`/events?deal=${deal}`)
  assert.equal(Object.hasOwn(items[0]?.data ?? {}, 'commandId'), false)
})

testOnEachStore('pages of the feed are oldest first, and any sequence is a place to go on from', async () => {
  const deal = await service.createDeal()
  for (let n = 0; n < 7; n++) await service.addNote(deal, `note ${n}`)
  const whole = (await read('/events?maxpagesize=1000')).items.map(({ sequence }) => sequence)
  assert.deepEqual(whole, [...whole].sort())
  const paged: string[] = []
  for (let path: string | undefined = '/events?maxpagesize=3'; path !== undefined; ) {
    const page: EventPage = await read(path)
    paged.push(...page.items.map(({ sequence }) => sequence))
    path = page.links.next
  }
  assert.deepEqual(paged, whole)
  const behind = await read(`/events?after=${whole[2]}&maxpagesize=1000`)
  assert.deepEqual(
    behind.items.map(({ sequence }) => sequence),
    whole.slice(3),
  )
})

testOnEachStore('a refused or a dry operation leaves no event', async () => {
  const deal = await service.createDeal()
  const before = (await read(`/events?deal=${deal}`)).items.length
  const refused = await service.send('PUT', `/rest/v1/deals/${deal}/unhold`, {})
  assert.equal(refused.status, 409)
  const dry = await service.send('PUT', `/rest/v1/deals/${deal}/hold?dry-run=true`, { reason: 'x' })
  assert.equal(dry.status, 200)
  assert.equal((await read(`/events?deal=${deal}`)).items.length, before)
})

testOnEachStore('the feed is filtered like every collection', async () => {
  const deal = await service.createDeal()
  await service.addNote(deal, 'one')
  const types = async (query: string) => (await read(`/events?deal=${deal}&${query}`)).items.map(({ type }) => type)
  assert.deepEqual(await types('type=deal.created&type=deal.held'), ['deal.created'])
  assert.deepEqual(await types('type=deal.*'), await types('type.starts=deal.'))
  assert.deepEqual(await types('type.ne=deal.*'), [])
  assert.deepEqual(await types('type.ne=deal.created'), ['deal.note-added'])
  assert.deepEqual(await types('operation=add-note'), ['deal.note-added'])
  assert.deepEqual(await types('form=noun'), ['deal.note-added'])
  assert.deepEqual(await types('time.gte=2001-01-01T00:00:00Z'), ['deal.created', 'deal.note-added'])
  assert.deepEqual(await types('actor.null=false'), [])
  for (const query of ['type=deal.eaten', 'after=7', 'after=x', 'deal=7', 'tpye=deal.held']) {
    assert.equal((await service.send('GET', `/events?${query}`)).status, 400, query)
  }
})

testOnEachStore('the id of an event can be compared as its sequence', async () => {
  const deal = await service.createDeal()
  await service.addNote(deal, 'one')
  const { items } = await read(`/events?deal=${deal}`)
  const [first = '', second = ''] = items.map(({ sequence }) => sequence)
  const found = async (filter: string) =>
    (await read(`/events?deal=${deal}&${filter}`)).items.map(({ sequence }) => sequence)
  assert.deepEqual(await found(`id=${first}`), [first])
  assert.deepEqual(await found(`id.gt=${first}`), [second])
  assert.deepEqual(await found(`id>=${second}`), [second])
  assert.deepEqual(await found(`$filter=${encodeURIComponent(`id lt '${second}'`)}`), [first])
  assert.deepEqual(await found(`id.in=${first},${second}&sort=-sequence`), [second, first])
})

test('the feed can be had in every representation of a collection', async () => {
  const types = { json: 'application/json', xml: 'application/xml', html: 'text/html', csv: 'text/csv' }
  for (const [suffix, type] of Object.entries({ ...types, ndjson: 'application/x-ndjson' })) {
    const response = await service.send('GET', `/events.${suffix}`)
    assert.equal(response.status, 200)
    assert.ok(response.headers.get('content-type')?.startsWith(type), suffix)
    assert.match(await response.text(), /deal\.created/)
  }
})

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
const today = '2026-11-15'

before(async () => {
  service = await runService()
  const { request } = service
  const made = async (members: object): Promise<string> => `${DEALS}/${(await openDeal(service, members)).id}`
  await made({ name: 'late', price: 0.1, completionDate: '2026-11-14' })
  await made({ name: 'later', price: 0.2, completionDate: '2026-11-15', stage: 'contract' })
  await made({ name: 'last of the week', price: 100, completionDate: '2026-11-21', currency: 'CHF' })
  await made({ name: 'next week', price: 1, completionDate: '2026-11-22' })
  const held = await made({ name: 'held', price: 10 })
  await request('POST', `${held}/holds`, { body: { reason: 'x' } })
  const done = await made({ name: 'done', price: 5 })
  await request('POST', `${done}/completions`, { body: { completedOn: '2026-10-31' } })
  const long = await made({ name: 'long ago', price: 5 })
  await request('POST', `${long}/completions`, { body: { completedOn: '2026-05-31' } })
  const off = await made({ name: 'off', price: 7 })
  await request('POST', `${off}/cancellations`, { body: { reason: 'x' } })
  await request('POST', `${off}/archivals`)
  const gone = await made({ name: 'gone', price: 1000, completionDate: '2026-01-01' })
  await request('POST', `${gone}/deletions`)
  for (const age of [0, 9, 10, 35, 39, null]) await request('POST', '/customers', { body: { name: 'x', age } })
})
after(() => service.close())

suite('the overview', () => {
  test('counts what needs attention, and only what is open and there', async () => {
    const overview = await service.store.overview({ today, dueUntil: '2026-11-21', since: '2026-06' })
    assert.partialDeepStrictEqual(overview, { held: 1, overdue: 1, due: 2 })
  })

  test('sums the pipeline by stage and currency, in thousandths', async () => {
    const { pipeline } = await service.store.overview({ today, dueUntil: today, since: '2026-06' })
    const lead = pipeline.find(({ stage, currency }) => stage === 'lead' && currency === 'EUR')
    assert.deepEqual(lead, { stage: 'lead', currency: 'EUR', count: 3, value: 11_100 })
    assert.equal(pipeline.length, 3)
  })

  test('sums what was finished by the month in which it was', async () => {
    const { finished } = await service.store.overview({ today, dueUntil: today, since: '2026-06' })
    const month = new Date().toISOString().slice(0, 7)
    assert.deepEqual(finished, [
      { month: '2026-10', status: 'completed', currency: 'EUR', count: 1, value: 5000 },
      { month, status: 'cancelled', currency: 'EUR', count: 1, value: 7000 },
    ])
  })

  test('of nothing is nothing', async () => {
    const empty = await runService()
    const nothing = { held: 0, overdue: 0, due: 0, pipeline: [], finished: [] }
    assert.deepEqual(await empty.store.overview({ today, dueUntil: today, since: '2026-06' }), nothing)
    assert.deepEqual(await empty.store.ages(), [])
    assert.equal((await empty.request('GET', '/', { headers: { accept: 'text/html' } })).status, 200)
    await empty.close()
  })

  test('counts customers by ten ages', async () => {
    assert.deepEqual(await service.store.ages(), [
      { from: 0, count: 2 },
      { from: 10, count: 1 },
      { from: 30, count: 2 },
    ])
  })

  test('names the customers that there are', async () => {
    assert.deepEqual(
      [...(await service.store.customerNames([1, 3, 99]))],
      [
        [1, 'x'],
        [3, 'x'],
      ],
    )
  })
})

suite('the board', () => {
  test('is a resource like any other: open deals by stage', async () => {
    const { body } = await service.request('GET', '/board?currency=EUR&sort=price')
    const columns = body.columns as readonly { stage: string; items: readonly { name: string }[]; hasMore: boolean }[]
    assert.deepEqual(
      columns.map(({ stage, items }) => [stage, items.map(({ name }) => name)]),
      [
        ['lead', ['late', 'next week', 'held']],
        ['qualified', []],
        ['proposal', []],
        ['negotiation', []],
        ['contract', ['later']],
      ],
    )
  })

  test('refuses what it does not know', async () => {
    for (const query of ['pages=1', 'page=2', 'maxpagesize=3', 'stage=leed', 'fields=id']) {
      assert.equal((await service.request('GET', `/board?${query}`)).status, 400, query)
    }
  })
})

suite('a filter bar', () => {
  test('leads to the view, without what was left empty', async () => {
    const led = async (path: string) => (await service.request('GET', path)).headers.location
    assert.equal(await led('/filters/deals?status=&price.gte=10&owner='), `${DEALS}?price.gte=10`)
    assert.equal(await led('/filters/customers?age%3E18=&name.regex=%5EA'), '/customers?age%3E18=&name.regex=%5EA')
    assert.equal(await led('/filters/board'), '/board')
    assert.equal(await led('/filters/deals?description=&owner='), `${DEALS}?description=`)
    assert.equal((await service.request('GET', '/filters/nothing')).status, 404)
    assert.equal((await service.request('GET', '/filters/constructor')).status, 404)
  })

  test('that cannot be used is explained without words of the API', async () => {
    const { status, text } = await service.request('GET', `${DEALS}.html?name.regex=%28`)
    assert.equal(status, 400)
    assert.match(text, /Go back and change the filter/)
    assert.doesNotMatch(text, /<code>errors<\/code>/)
  })

  test('keeps a list that the address has, each value by itself: a browser encodes commas', async () => {
    const shown = await service.request('GET', `${DEALS}.html?name.in=a%2C+b,c&description=`)
    const kept = [...shown.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, ...each]) => each,
    )
    for (const each of [
      ['name.in', 'a, b'],
      ['name.in', 'c'],
      ['description', ''],
    ]) {
      assert.ok(
        kept.some((pair) => JSON.stringify(pair) === JSON.stringify(each)),
        JSON.stringify(kept),
      )
    }
    const sent = new URLSearchParams(kept.filter(([name]) => !name?.startsWith('_')) as [string, string][])
    const { headers } = await service.request('GET', `/filters/deals?${sent}`)
    assert.equal(headers.location, `${DEALS}?name.in=a%2C+b&name.in=c&description=`)
  })
})

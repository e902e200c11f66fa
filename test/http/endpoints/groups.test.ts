import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { type GroupKey, keysOf, type Measure, measuresOf } from '../../../src/queries/members/groups.ts'
import { fill, manyCustomers } from '../../support/database/filled.ts'
import { fc } from '../../support/inputs/fast-check.ts'
import type { Plain, PlainRow } from '../../support/inputs/naive-evaluator.ts'
import { cellText, groupsOf } from '../../support/inputs/naive-groups.ts'
import {
  customer,
  deal,
  keysFound,
  questions,
  searchFor,
  uuids,
  withCustomers,
} from '../../support/inputs/questions.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { collections } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

type Item = Readonly<Record<string, Plain>>

interface GroupPage {
  readonly items: readonly Item[]
  readonly total?: number
  readonly hasMore: boolean
  readonly links: Readonly<Record<string, string>>
}

let service: TestService

before(async () => {
  service = await runService()
})
after(() => service.close())

async function page(query: string, address = DEALS): Promise<GroupPage> {
  const { status, text, body } = await service.request('GET', `${address}?${query}`)
  assert.equal(status, 200, `${query} ${text}`)
  return body as unknown as GroupPage
}

const groups = async (query: string, address = DEALS) => (await page(query, address)).items

async function refusal(query: string, address = DEALS): Promise<string> {
  const { status, text } = await service.request('GET', `${address}?${query}`)
  assert.equal(status, 400, text)
  return text
}

/** Every group on every page; numbers as they stand in the text. */
async function everyGroup(path: string): Promise<readonly Item[]> {
  const all: Item[] = []
  for (let at: string | undefined = path; at !== undefined; ) {
    const { status, text } = await service.request('GET', at)
    assert.equal(status, 200, `${at} ${text}`)
    const keepText = (_: string, value: unknown, { source }: { source?: string } = {}) =>
      typeof value === 'number' ? `number ${source}` : value
    const { items, links } = JSON.parse(text, keepText) as GroupPage
    all.push(...items)
    at = links.next
  }
  return all
}

// Ties between two roundings, sums beyond 2^53 and 2^63, and every number of decimals that a currency has.
const price = fc.constantFrom(0, 1000, 2000, 3000, 5000, 7000, 1e15)
const large = fc.constantFrom(0, 1000, 8e18, 9_007_199_254_740_992)
const samples = {
  customers: { path: '/customers', shape: customer, keys: Array.from({ length: 60 }, (_, n) => n + 1) },
  deals: {
    path: DEALS,
    shape: { ...deal, price, paid: large, currency: fc.constantFrom('EUR', 'JPY', 'BHD', 'USD', 'KRW', 'CLF') },
    keys: uuids(60),
  },
} as const

let customersKept: readonly PlainRow[] = []

for (const name of ['customers', 'deals'] as const) {
  const collection = collections[name]
  const { path, shape, keys } = samples[name]
  testOnEachStore(`groups of ${name} are exactly those that a plain reckoning gives`, async () => {
    const made = fc.record(shape as Readonly<Record<string, fc.Arbitrary<Plain>>>)
    const rows: PlainRow[] = fc
      .sample(made, { numRuns: keys.length, seed: 20_261_117 })
      .map((row, at) => ({ ...row, id: keys[at] ?? '' }))
    await fill(service.database, collection, rows)
    if (name === 'customers') customersKept = rows
    const kept = (name === 'deals' ? withCustomers(rows, customersKept) : rows).map((row) =>
      name === 'deals' ? { ...row, deleted: row.deletedAt !== null } : row,
    )
    const { paid: _paid, ...filtered } = shape as Readonly<Record<string, fc.Arbitrary<Plain>>>
    const known = new Set(kept.flatMap((row) => Object.keys(row)))
    const isKnown = (each: GroupKey | Measure) => !('field' in each) || known.has(each.field.name)
    const keyNames = [...keysOf(collection).values()].filter(isKnown).map((key) => key.name)
    const measureNames = [...measuresOf(collection).values()].filter(isKnown).map((measure) => measure.name)
    const asked = fc
      .record({
        by: fc.uniqueArray(fc.constantFrom(...keyNames), { maxLength: 3 }),
        measures: fc.uniqueArray(fc.constantFrom(...measureNames), { minLength: 1, maxLength: 4 }),
      })
      .map(({ by, measures }) => {
        const needsCurrency = measures.some((each) => /^(sum|avg)\.(price|paid|amercement)$/.test(each))
        return { by: needsCurrency && !by.includes('currency') ? [...by, 'currency'] : by, measures }
      })
      .chain((each) =>
        fc.record({
          by: fc.constant(each.by),
          measures: fc.constant(each.measures),
          sort: fc
            .uniqueArray(fc.constantFrom(...each.by, ...each.measures), { maxLength: 2 })
            .chain((fields) =>
              fc.tuple(...fields.map((field) => fc.boolean().map((descending) => ({ field, descending })))),
            ),
        }),
      )
    await fc.assert(
      fc.asyncProperty(
        questions(collection, filtered),
        asked,
        fc.integer({ min: 2, max: 40 }),
        async (all, { by, measures, sort }, size) => {
          const found = new Set(keysFound(collection, kept, all, []))
          const matching = kept.filter(({ id }) => found.has(id ?? null))
          const expected = groupsOf(matching, by, measures, sort).map((group) =>
            Object.fromEntries(
              Object.entries(group).map(([member, cell]) => {
                const text = cellText(cell)
                return [member, cell !== null && typeof cell === 'object' ? `number ${text}` : JSON.parse(text)]
              }),
            ),
          )
          const group = by.length === 0 ? '' : `&group=${by}`
          const address = `${path}?${searchFor(all, sort, size)}${group}&measure=${measures}`
          assert.deepEqual(await everyGroup(address), expected, address)
          assert.equal((await page(`${address.slice(path.length + 1)}&count=exact`, path)).total, expected.length)
        },
      ),
      { numRuns: Number(process.env.QUERY_RUNS ?? 12) },
    )
  })
}

suite('groups', () => {
  const owner = 'Grace Hopper'
  const CUSTOMER = 1000
  const asked = `owner=${encodeURIComponent(owner)}`
  before(async () => {
    await fill(service.database, collections.customers, manyCustomers(CUSTOMER, 1))
    const deals = [
      { price: 10.1, stage: 'lead', completionDate: '2026-11-15', customerId: CUSTOMER },
      { price: 20.2, stage: 'lead', completionDate: '2027-01-01' },
      { price: 5, stage: 'contract', currency: 'JPY', completionDate: '2024-12-30' },
      { price: 6, stage: 'contract', currency: 'JPY' },
      { price: 0.001, stage: 'proposal', currency: 'BHD', completionDate: '9999-12-31' },
      { price: 0.002, stage: 'proposal', currency: 'BHD', completionDate: '0001-01-01' },
    ]
    for (const members of deals) await openDeal(service, { owner, ...members })
  })

  test('have their fields, then the measures under the names that were asked for', async () => {
    const found = await groups(`${asked}&group=stage,currency&measure=count,sum.price,avg.price,min.completionDate`)
    const [lead, proposal, contract] = found
    assert.deepEqual(Object.keys(lead ?? {}), [
      'stage',
      'currency',
      'count',
      'sum.price',
      'avg.price',
      'min.completionDate',
    ])
    assert.deepEqual(Object.values(lead ?? {}), ['lead', 'EUR', 2, 30.3, 15.15, '2026-11-15'])
    // Two thousandths and one: half of three is even at two.
    assert.deepEqual(Object.values(proposal ?? {}), ['proposal', 'BHD', 2, 0.003, 0.002, '0001-01-01'])
    assert.deepEqual(Object.values(contract ?? {}), ['contract', 'JPY', 2, 11, 6, '2024-12-30'])
  })

  test('are counted if no measure is given', async () => {
    assert.deepEqual(await groups(`${asked}&group=currency&sort=-count,-currency`), [
      { currency: 'JPY', count: 2 },
      { currency: 'EUR', count: 2 },
      { currency: 'BHD', count: 2 },
    ])
  })

  testOnEachStore('of a date have its year, month, ISO week or day, and null is a group of its own', async () => {
    const read = async (part: string) =>
      (await groups(`${asked}&group=completionDate.${part}`)).map((group) => group[`completionDate.${part}`])
    assert.deepEqual(await read('year'), ['0001', '2024', '2026', '2027', '9999', null])
    assert.deepEqual(await read('month'), ['0001-01', '2024-12', '2026-11', '2027-01', '9999-12', null])
    assert.deepEqual(await read('week'), ['0001-W01', '2025-W01', '2026-W46', '2026-W53', '9999-W52', null])
    assert.deepEqual(await read('day'), ['0001-01-01', '2024-12-30', '2026-11-15', '2027-01-01', '9999-12-31', null])
    const [first] = await groups(`${asked}&group=createdAt.day`)
    assert.match(String(first?.['createdAt.day']), /^\d{4}-\d\d-\d\d$/)
  })

  testOnEachStore('reach over relations', async () => {
    assert.deepEqual(await groups(`${asked}&group=customer.country&measure=count,max.customer.age`), [
      { 'customer.country': 'DE', count: 1, 'max.customer.age': 0 },
      { 'customer.country': null, count: 5, 'max.customer.age': null },
    ])
  })

  testOnEachStore('are one row without group, also of nothing', async () => {
    assert.deepEqual(await groups(`${asked}&currency=EUR&measure=count,sum.price,count.customerId`), [
      { count: 2, 'sum.price': 30.3, 'count.customerId': 1 },
    ])
    const none = await page('owner=nobody&currency=EUR&measure=count,sum.price,avg.price,min.price&count=exact')
    assert.deepEqual(none.items, [{ count: 0, 'sum.price': null, 'avg.price': null, 'min.price': null }])
    assert.equal(none.total, 1)
    assert.deepEqual(await groups('owner=nobody&group=stage'), [])
    const refused = await service.request('GET', `${DEALS}?owner=nobody&group=stage&empty=404`)
    assert.equal(refused.status, 404)
  })

  test('are paged by number, and links keep the parameters', async () => {
    const query = `${asked}&group=stage&maxpagesize=2&count=exact`
    const first = await page(query)
    assert.deepEqual([first.items.length, first.hasMore, first.total], [2, true, 3])
    assert.equal(first.links.next, `${DEALS}?${query}&page=2`)
    const second = await page(`${query}&page=2`)
    assert.deepEqual(second.items, [{ stage: 'contract', count: 2 }])
    assert.deepEqual([second.hasMore, second.links.next, second.links.prev], [false, undefined, `${DEALS}?${query}`])
  })

  testOnEachStore('of a text search are the same', async () => {
    const found = `${asked}&name.regex=.`
    const query = 'group=stage,currency&measure=count,sum.price&sort=-sum.price'
    const expected = await groups(`${asked}&${query}`)
    assert.equal(expected.length, 3)
    assert.deepEqual(await groups(`${found}&${query}`), expected)
    assert.deepEqual(await groups(`q=grace+hopper&${query}`), expected)
  })

  test('are the same in every representation', async () => {
    const query = `${asked}&group=stage,currency&measure=count,sum.price&currency=EUR`
    const read = async (format: string) => (await service.request('GET', `${DEALS}?${query}&format=${format}`)).text
    assert.equal(await read('csv'), 'stage,currency,count,sum.price\r\nlead,EUR,2,30.3\r\n')
    assert.equal(await read('ndjson'), '{"stage":"lead","currency":"EUR","count":2,"sum.price":30.3}\n')
    assert.match(await read('xml'), /<group><stage>lead<\/stage>.*<sum\.price>30\.3<\/sum\.price><\/group>/)
    assert.match(await read('html'), /<th scope="row">lead<\/th>.*<td class="number">30\.3<\/td>/)
    const searched = `${DEALS}?${query}&name.regex=.&format=ndjson`
    assert.equal((await service.request('GET', searched)).text, await read('ndjson'))
  })

  test('are asked for in a QUERY, and in named queries', async () => {
    const body = { filter: { owner }, group: ['currency'], measure: ['count', 'max.price'], sort: ['-max.price'] }
    const queried = await service.request('QUERY', DEALS, { body })
    assert.equal(queried.status, 200, queried.text)
    assert.deepEqual(
      queried.body.items,
      await groups(`${asked}&group=currency&measure=count,max.price&sort=-max.price`),
    )
    const { body: named } = await service.request('GET', `/query/deals-by-customer/${CUSTOMER}?group=stage`)
    assert.deepEqual(named, [{ stage: 'lead', count: 1 }])
  })

  testOnEachStore('of events, commands and webhooks are counted', async () => {
    await service.database.settled()
    const [events] = await groups('group=type&type=deal.created', '/events')
    assert.equal(events?.type, 'deal.created')
    assert.ok(Number(events?.count) >= 6)
    assert.deepEqual(await groups('measure=count', '/rest/commands'), [{ count: 0 }])
    assert.match(await refusal('measure=max.time', '/events'), /knows no max\.time/)
  })

  testOnEachStore('of amounts in several currencies are refused, with what to do', async () => {
    for (const query of [
      'measure=sum.price',
      'group=stage&measure=avg.paid',
      'currency.in=EUR,JPY&measure=sum.price',
    ]) {
      assert.match(await refusal(query), /add currency to group, or filter by one currency/)
    }
    assert.equal((await groups('measure=min.price,max.price')).length, 1)
  })

  for (const [query, detail] of [
    ['group=stagee', /cannot group by stagee, did you mean stage\?/],
    ['group=stage.month', /cannot group by stage\.month/],
    ['group=', /group has an empty name/],
    ['group=stage,stage', /names stage twice/],
    ['group=stage&group=owner', /must be given once/],
    ['group=stage&measure=summ.price', /knows no summ\.price, did you mean sum\.price\?/],
    ['group=stage&measure=sum.name', /knows no sum\.name/],
    ['group=stage&sort=price', /cannot sort by price/],
    ['group=stage&sort=-cuont', /cannot sort by cuont, did you mean count\?/],
    ['group=stage&fields=stage', /does not go with group and measure/],
    ['group=stage&after=x', /groups are paged by page/],
  ] as const) {
    test(`are refused where they make no sense: ${query}`, async () => {
      assert.match(await refusal(query), detail)
    })
  }
})

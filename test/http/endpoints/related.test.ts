import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { answerBounds } from '../../../src/values/bounds.ts'
import { fill, manyCustomers } from '../../support/database/filled.ts'
import type { PlainRow } from '../../support/inputs/naive-evaluator.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { collections, customer } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import {
  type Answered,
  runService,
  type Shown,
  type ShownFault,
  type TestService,
} from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

type Item = Readonly<Record<string, unknown>>

describe('related things', () => {
  let service: TestService
  let ana: Shown
  let sold: Shown
  let open: Shown

  before(async () => {
    service = await runService()
    const made = async (body: object) => (await service.request('POST', '/customers', { body })).body
    ana = await made({ name: 'Ana Ruiz', country: 'ES', age: 41 })
    await made({ name: 'Jonas Weber', country: 'DE', age: 17 })
    sold = await openDeal(service, { name: 'Sold', price: 0.1, customerId: ana.id })
    open = await openDeal(service, { name: 'Open' })
    const deleted = await openDeal(service, { name: 'Deleted', customerId: ana.id })
    assert.equal((await service.request('DELETE', `${DEALS}/${deleted.id}`)).status, 204)
  })
  after(() => service.close())

  async function get(path: string, headers = {}): Promise<Answered> {
    const answer = await service.request('GET', path, { headers })
    assert.equal(answer.status, 200, `${path} ${answer.text}`)
    return answer
  }
  const itemsAt = async (path: string) => (await get(path)).body.items as readonly Item[]
  const without = ({ links: _links, ...rest }: Item | Shown): Item => rest

  testOnEachStore('deals show their customers, whole or null, on the list and by themselves', async () => {
    const items = await itemsAt(`${DEALS}?expand=customer`)
    assert.deepEqual(items, [
      { ...without(sold), customer: without(ana) },
      { ...without(open), customer: null },
    ])
    const { body, headers } = await get(`${DEALS}/${sold.id}?expand=customer`)
    assert.deepEqual(body, { ...(await get(`${DEALS}/${sold.id}`)).body, customer: without(ana) })
    assert.equal(headers.etag, undefined)
    assert.equal(headers['last-modified'], undefined)
  })

  testOnEachStore('customers show their latest deals, without the deleted ones', async () => {
    assert.deepEqual(
      (await itemsAt('/customers?expand=deals')).map(({ deals }) => deals),
      [
        { items: [without(sold)], hasMore: false },
        { items: [], hasMore: false },
      ],
    )
    const { body } = await get(`/customers/${ana.id}?expand=deals`)
    assert.deepEqual((body as unknown as Item).deals, { items: [without(sold)], hasMore: false })
  })

  test('no state makes the answer with related things unchanged', async () => {
    const path = `${DEALS}/${sold.id}`
    const { headers } = await get(path)
    const tag = String(headers.etag)
    assert.equal((await service.request('GET', path, { headers: { 'if-none-match': tag } })).status, 304)
    await get(`${path}?expand=customer`, { 'if-none-match': tag })
    await get(`${path}?fields=customer.name`, { 'if-none-match': tag })
    await get(`${path}?expand=customer`, { 'if-modified-since': String(headers['last-modified']) })
    const existing = { headers: { 'if-none-match': '*' } }
    assert.equal((await service.request('GET', `${path}?expand=customer`, existing)).status, 304)
  })

  test('fields choose members of a thing and of what is related to it', async () => {
    const path = `${DEALS}/${sold.id}`
    const bodyOf = async (query: string) => (await get(`${path}?${query}`)).body
    assert.deepEqual(await bodyOf('fields=price,name'), { price: 0.1, name: 'Sold' })
    assert.deepEqual(await bodyOf('fields=name,customer.name'), { name: 'Sold', customer: { name: 'Ana Ruiz' } })
    assert.deepEqual(await bodyOf('fields=name&expand=customer'), { name: 'Sold', customer: without(ana) })
    assert.deepEqual(await bodyOf('$select=name&select=name&$expand=customer'), {
      name: 'Sold',
      customer: without(ana),
    })
    assert.deepEqual(await bodyOf('fields=customer.age,customer'), { customer: without(ana) })
    assert.deepEqual(await itemsAt(`${DEALS}?fields=customer.name,name,customer.age`), [
      { customer: { name: 'Ana Ruiz', age: 41 }, name: 'Sold' },
      { customer: null, name: 'Open' },
    ])
    assert.deepEqual(await itemsAt('/customers?fields=id,deals.name'), [
      { id: 1, deals: { items: [{ name: 'Sold' }], hasMore: false } },
      { id: 2, deals: { items: [], hasMore: false } },
    ])
  })

  test('a thing with chosen fields keeps the ETag of its state, which guards writes', async () => {
    const path = `${DEALS}/${open.id}`
    const { etag } = (await get(`${path}?fields=name`)).headers
    const again = { 'if-none-match': String(etag) }
    assert.equal((await service.request('GET', `${path}?fields=name`, { headers: again })).status, 304)
    const write = { body: { owner: 'Mila' }, headers: { 'if-match': String(etag) } }
    assert.equal((await service.request('PATCH', path, write)).status, 200)
    assert.equal((await service.request('PATCH', path, write)).status, 412)
    open = (await get(path)).body
    const { headers } = await get(`${path}?fields=name&revision=1`)
    assert.equal(headers['content-location'], undefined)
  })

  test('every representation shows related things', async () => {
    const { text: xml } = await get(`${DEALS}.xml?expand=customer`)
    assert.match(xml, /<customer><id>1<\/id><name>Ana Ruiz<\/name>/)
    assert.match(xml, /<customer xsi:nil="true"\/>/)
    assert.match((await get('/customers/1.xml?expand=deals')).text, /<deals><items><item><id>/)
    const csv = (await get(`${DEALS}.csv?expand=customer`)).text.split('\r\n')
    const columns = Object.keys(customer.kinds).map((each) => `customer.${each}`)
    assert.ok(csv[0]?.endsWith(`,${columns}`), csv[0] ?? '')
    assert.match(csv[1] ?? '', /,1,Ana Ruiz,,41,,ES,,,/)
    const chosen = await get(`${DEALS}.csv?fields=customer.name,name&maxpagesize=5`)
    assert.equal(chosen.text, 'customer.name,name\r\nAna Ruiz,Sold\r\n,Open\r\n')
    const lines = (await get(`${DEALS}.ndjson?expand=customer`)).text.trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      await itemsAt(`${DEALS}?expand=customer`),
    )
    const list = await get(`${DEALS}?expand=customer`, { accept: 'text/html' })
    assert.match(list.text, /<th scope="col">Customer name<\/th>/)
    assert.match(list.text, /<td>Ana Ruiz<\/td>/)
    assert.match((await get('/customers?expand=deals', { accept: 'text/html' })).text, /<li>Sold<\/li>/)
    assert.match((await get(`${DEALS}/${sold.id}?expand=customer`, { accept: 'text/html' })).text, /Ana Ruiz/)
  })

  test('the links of a page keep what it shows, and so do the other representations', async () => {
    const asked = 'expand=customer&fields=name,customer.name'
    const { body, headers } = await get(`${DEALS}?${asked}&maxpagesize=1`)
    const next = String(body.links.next)
    assert.ok(next.startsWith(`${DEALS}?${asked}&maxpagesize=1&after=`), next)
    assert.ok(String(headers.link).includes(`<?${asked}&format=csv>; rel="alternate"`), String(headers.link))
    const last = await get(next)
    assert.deepEqual(last.body.items, [{ name: 'Open', customer: null }])
    assert.ok(String(last.body.links.prev).startsWith(`${DEALS}?${asked}&maxpagesize=1`))
    const one = await get(`${DEALS}/${sold.id}?${asked}`)
    assert.ok(String(one.headers.link).includes(`<?${asked}&format=xml>; rel="alternate"`))
  })

  test('what cannot be shown is refused, with the nearest name', async () => {
    for (const [path, parameter, detail] of [
      [`${DEALS}?expand=custmer`, 'expand', 'names no relation custmer, did you mean customer?'],
      [`${DEALS}/${sold.id}?expand=customers`, 'expand', 'names no relation customers, did you mean customer?'],
      ['/customers/1?fields=nam', 'fields', 'names no field nam, did you mean name?'],
      [`${DEALS}?fields=customer.nam`, 'fields', 'names no field customer.nam, did you mean customer.name?'],
      ['/events?expand=deal', 'expand', 'names nothing that events could show'],
      [`${DEALS}/${sold.id}?fields=id&select=name`, 'select', 'contradicts fields, which is the same setting'],
      [`${DEALS}/${sold.id}?expnd=customer`, 'expnd', 'is not known here, did you mean expand?'],
      [`${DEALS}/${sold.id}?expand=customer&revision=1`, 'expand', 'cannot show related things together with revision'],
    ] as const) {
      const { status, body } = await service.request('GET', path)
      assert.equal(status, 400, path)
      assert.deepEqual(
        saidFaults((body as unknown as { errors: readonly ShownFault[] }).errors),
        [{ parameter, detail }],
        path,
      )
    }
  })

  test('QUERY filters by and shows related things too', async () => {
    const body = { filter: { 'customer.country': 'ES' }, fields: ['name', 'customer.name'] }
    const answer = await service.request('QUERY', DEALS, { body })
    assert.deepEqual(answer.body.items, [{ name: 'Sold', customer: { name: 'Ana Ruiz' } }])
  })

  testOnEachStore('deals are found by their customers, those without one where nothing is asked for', async () => {
    const names = async (query: string) => (await itemsAt(`${DEALS}?${query}`)).map((each) => each.name)
    assert.deepEqual(await names('customer.country=ES'), ['Sold'])
    assert.deepEqual(await names('customer.age>=18&customer.name.regex=^Ana'), ['Sold'])
    assert.deepEqual(await names('customer.country.ne=ES'), ['Open'])
    assert.deepEqual(await names('customer.name.null=true'), ['Open'])
    assert.deepEqual(await names('filter={"or":[{"customer.name":{"null":[true,true]}}]}'), ['Open'])
    assert.deepEqual(await names('customer.age.lt=200'), ['Sold'])
  })

  testOnEachStore(
    'of many deals the latest are shown, for many customers at once, and streams have all of them',
    async () => {
      const many = 60
      await fill(service.database, collections.customers, manyCustomers(100, many))
      await fill(service.database, collections.deals, [
        ...Array.from({ length: answerBounds.related + 1 }, (_, n) => dealOf(100, n)),
        ...Array.from({ length: answerBounds.related }, (_, n) => dealOf(101, 1000 + n)),
        dealOf(159, 2000),
      ])
      const { body } = await get('/customers?min=100&expand=deals&maxpagesize=1000')
      const { items, pageSize, hasMore } = body as unknown as { items: Item[]; pageSize: number; hasMore: boolean }
      assert.deepEqual([items.length, pageSize, hasMore], [answerBounds.related, answerBounds.related, true])
      const [first, second, third] = items.map(({ deals }) => deals as { items: Item[]; hasMore: boolean })
      const latest = Array.from({ length: answerBounds.related }, (_, n) => `Deal ${answerBounds.related - n}`)
      assert.deepEqual([first?.items.map((each) => each.name), first?.hasMore], [latest, true])
      assert.deepEqual([second?.items.length, second?.hasMore], [answerBounds.related, false])
      assert.deepEqual(third, { items: [], hasMore: false })
      const lines = (await get('/customers.ndjson?min=100&fields=id,deals.name')).text.trim().split('\n')
      assert.equal(lines.length, many)
      assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), {
        id: 159,
        deals: { items: [{ name: 'Deal 2000' }], hasMore: false },
      })
    },
  )
})

function dealOf(customerId: number, n: number): PlainRow {
  const at = '2026-01-30T10:00:00.000Z'
  return {
    id: `01936f2e-5d3c-7a41-8f6b-${String(n).padStart(12, '0')}`,
    ...{ name: `Deal ${n}`, price: 1000, currency: 'EUR', customerId, owner: null, description: '' },
    ...{ pipeline: 'sales', stage: 'lead' },
    ...{ completionDate: null, status: 'open', held: false, holdReason: null, archived: false, amercement: 0, paid: 0 },
    ...{ completedOn: null, acceptedBy: null, closingReason: null, deletedAt: null, createdAt: at, updatedAt: at },
    revision: 1,
  }
}

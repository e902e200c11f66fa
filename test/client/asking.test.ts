import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Client, connect } from '../../src/client.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

let service: TestService
let client: Client
/** The methods that were used. */
let methods: string[] = []
const ids = { ana: 0, bo: 0 }

before(async () => {
  service = await runService()
  client = connect(service.url, {
    fetch: (address, request) => {
      methods.push(request?.method ?? 'GET')
      return fetch(address, request)
    },
  })
  const { customers, deals } = client
  ids.ana = (await customers.create({ name: 'Ana Müller', age: 41, country: 'DE' })).id
  ids.bo = (await customers.create({ name: 'Bo Lund', age: 17, children: 3, country: 'SE' })).id
  await deals.create({ name: 'Espresso machines', price: 10.1, customerId: ids.ana, stage: 'proposal' })
  await deals.create({ name: 'Tables', price: 20.2, customerId: ids.bo, stage: 'proposal' })
  await deals.create({ name: 'Chairs', price: 40, currency: 'USD' })
})
after(() => service.close())

const names = async (list: AsyncIterable<{ readonly name: string }>): Promise<readonly string[]> =>
  (await Array.fromAsync(list)).map(({ name }) => name).toSorted()

suite('the client asks for', () => {
  test('what a tree matches, also over a reference', async () => {
    const { deals } = client
    assert.deepEqual(await names(deals.list({ where: { or: [{ customerId: ids.ana }, { customerId: null }] } })), [
      'Chairs',
      'Espresso machines',
    ])
    assert.deepEqual(await names(deals.list({ where: { customerId: [ids.bo, null] }, 'price.lt': 30 })), ['Tables'])
    assert.deepEqual(
      await names(deals.list({ where: { 'customer.country': { ne: 'SE' }, stage: { gte: 'proposal' } } })),
      ['Espresso machines'],
    )
    assert.deepEqual(await names(deals.list({ where: { not: { name: { starts: 'TAB' } } }, 'customer.age.gte': 18 })), [
      'Espresso machines',
    ])
    assert.deepEqual(await names(client.customers.list({ where: { and: [{ age: { lt: 18 } }, { children: 3 }] } })), [
      'Bo Lund',
    ])
    const { items } = await client.pastEvents({ where: { or: [{ type: 'customer.created' }] } }).page()
    assert.equal(items.length, 2)
  })

  test('words', async () => {
    assert.deepEqual(await names(client.customers.list({ search: 'muller' })), ['Ana Müller'])
    assert.deepEqual(await names(client.deals.list({ search: 'MULLER esp' })), ['Espresso machines'])
  })

  test('things of every kind', async () => {
    const found = await client.search('ana mull')
    assert.deepEqual(
      found.map(({ type, name }) => [type, name]),
      [
        ['customer', 'Ana Müller'],
        ['deal', 'Espresso machines'],
      ],
    )
    const [first] = await client.search(ids.bo)
    assert.deepEqual([first?.name, first?.match], ['Bo Lund', 'id'])
  })

  test('related things', async () => {
    const [deal] = (await client.deals.list({ name: 'Tables', expand: 'customer' }).page()).items
    assert.equal(deal?.customer?.country, 'SE')
    const [customer] = (await client.customers.list({ id: ids.bo, expand: ['deals'] }).page()).items
    assert.deepEqual(
      customer?.deals.items.map(({ id }) => id),
      [deal?.id],
    )
    const [also] = (await client.customers.list({ id: ids.bo, expand: ['deals', 'tasks'] }).page()).items
    assert.deepEqual(also?.tasks.items, [] satisfies readonly { readonly title: string }[])
    const whole = await client.deals.get(deal?.id ?? '', { expand: 'customer' })
    assert.equal(whole.customer?.name, 'Bo Lund')
    assert.deepEqual(await client.deals.get(whole.id, { fields: ['id', 'name'] }), { id: whole.id, name: 'Tables' })
  })

  test('groups with exact sums', async () => {
    const sums = client.deals.list({
      group: ['stage', 'currency'],
      measure: ['count', 'sum.price'],
      sort: '-sum.price',
    })
    const found = await Array.fromAsync(sums, (each) => [each.stage, each.currency, each.count, each['sum.price']])
    assert.deepEqual(found, [
      ['lead', 'USD', 1, 40],
      ['proposal', 'EUR', 2, 30.3],
    ])
    const [all] = (await client.customers.list({ measure: 'max.age' }).page()).items
    assert.equal(all?.['max.age'], 41)
    const months = client.deals.list({ group: 'createdAt.month' })
    for await (const { 'createdAt.month': month, count } of months) assert.deepEqual([month?.length, count], [7, 3])
  })

  test('the past', async () => {
    const { deals } = client
    const made = await deals.create({ name: 'Before', price: 1 })
    await deals.rename(made.id, { newName: 'After' })
    const first = await deals.get(made.id, { revision: 1 })
    assert.deepEqual([first.name, first.links.latest], ['Before', made.links.self])
    assert.equal((await deals.get(made.id, { asOf: made.updatedAt })).name, 'Before')
    assert.equal((await client.customers.get(ids.ana, { revision: 1 })).age, 41)
    await deals.delete(made.id)
  })

  test('more than an address holds, page by page', async () => {
    methods = []
    const many = Array.from({ length: 400 }, (_, at) => `Nobody ${at} of those who are not there`)
    const where = { name: ['Ana Müller', 'Bo Lund', ...many] } as const
    assert.deepEqual(await names(client.customers.list({ where, maxpagesize: 1 })), ['Ana Müller', 'Bo Lund'])
    assert.deepEqual(await names(client.customers.list({ 'name.in': where.name, maxpagesize: 1 })), [
      'Ana Müller',
      'Bo Lund',
    ])
    const groups = client.customers.list({ where, group: 'country', maxpagesize: 1 })
    assert.deepEqual(
      (await Array.fromAsync(groups)).map(({ country }) => country),
      ['DE', 'SE'],
    )
    const behind = client.customers.list({ where, group: 'name', sort: 'name', maxpagesize: 1, offset: 0 })
    assert.deepEqual(
      (await Array.fromAsync(behind)).map(({ name }) => name),
      ['Ana Müller', 'Bo Lund'],
    )
    assert.deepEqual(new Set(methods), new Set(['QUERY']))
  })
})

test('the compiler knows fields, operators, relations and measures', () => {
  const { deals, customers } = client
  // Lists ask when they are read.
  // @ts-expect-error a field
  deals.list({ where: { prise: 1 } })
  // @ts-expect-error a value
  deals.list({ where: { stage: 'sold' } })
  // @ts-expect-error an operator
  deals.list({ where: { or: [{ price: { above: 1 } }] } })
  // @ts-expect-error a related thing's field
  deals.list({ where: { 'customer.contry': 'DE' } })
  // @ts-expect-error a parameter
  deals.list({ 'prise.gte': 1 })
  // @ts-expect-error a relation
  customers.list({ expand: 'customer' })
  // @ts-expect-error a group
  deals.list({ group: 'name.month' })
  // @ts-expect-error a measure
  deals.list({ measure: ['count', 'sum.name'] })
  // @ts-expect-error a member of a group
  void (async () => (await deals.list({ group: 'stage' }).page()).items[0]?.price)
  void (async () => {
    // Every resource has its events, its commands and its place in a batch.
    for await (const { type, data } of client.events()) {
      if (type === 'task.finished') assert.equal(data.task.status satisfies 'open' | 'done', 'done')
      // @ts-expect-error of what is gone there is the id alone
      if (type === 'rate.deleted') assert.equal(data.rate.perUnit, 1)
      // @ts-expect-error no operation has such an event
      if (type === 'view.held') assert.fail()
    }
    const [made] = await client.batch([{ action: 'CreateView', params: { name: 'Leads', collection: 'deals' } }])
    assert.equal(made?.view?.shared satisfies boolean | undefined, made?.command?.view === undefined)
    // @ts-expect-error a parameter of another
    await client.batch([{ action: 'CreateRate', params: { title: 'x' } }])
  })
  // @ts-expect-error a deal as it was offers nothing
  void (async () => (await deals.get('x', { revision: 1 })).links.operations)
})

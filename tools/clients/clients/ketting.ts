import assert from 'node:assert/strict'
import { bearerAuth, Client, type Resource } from 'ketting'
import type { ForeignClient, TriedService } from '../foreign-client.ts'

function open({ url, key }: TriedService): Client {
  const ketting = new Client(url)
  ketting.use(bearerAuth(key))
  return ketting
}

/** An item of a list, by its link: what it was read with has a header less than an answer of its own. */
async function itemOf(service: TriedService, address: string): Promise<Resource> {
  const [item] = await open(service).go(address).followAll('item')
  assert.ok(item)
  return item
}

export const client: ForeignClient = {
  packages: ['ketting'],
  door: 'REST as HAL',
  types: { without: 'It makes no types.' },
  tries: {
    async read(service) {
      const customers = await open(service).follow('customers')
      const customer = await customers.follow('item')
      assert.match((await customer.get()).data.name, /./)
    },
    async filter(service) {
      const deal = await itemOf(service, '/rest/v1/deals?price.gte=5000&name.starts=Deal&stage=lead&sort=price')
      assert.equal((await deal.get()).data.name, 'Deal 5')
    },
    async own(service) {
      const deal = await itemOf(service, '/rest/v1/deals?own.choiceField=a&own.integerField.lt=4&sort=name')
      assert.equal((await deal.get()).data.own.integerField, 1)
    },
    async pages(service) {
      const next = open(service).go('/customers?sort=id&maxpagesize=8').follow('next')
      const items = await next.followAll('item')
      assert.equal((await items[0]?.get())?.data.id, 9)
    },
    async related(service) {
      const deal = await open(service).go('/customers/2').follow('deals').follow('item')
      assert.equal((await deal.get()).data.name, 'Deal 2')
    },
    async create(service) {
      const data = { name: 'By ketting', price: 80, own: { needed: 'x' } }
      const made = await open(service).go('/rest/v1/deals').postFollow({ data })
      assert.match((await made.get()).data.id, /-/)
    },
    async change(service) {
      const customer = await itemOf(service, '/customers?sort=id&id=2')
      const state = await customer.get()
      state.data.age = 62
      await customer.put(state)
      assert.equal((await customer.refresh()).data.age, 62)
    },
    async upsert(service) {
      const deal = open(service).go('/rest/v1/deals/by/reference/KETTING-1')
      const data = { name: 'Upserted', price: 5, own: { needed: 'x' } }
      await deal.put({ data })
      assert.equal((await deal.refresh()).data.price, 5)
    },
    async operation(service) {
      const deal = open(service).go('/rest/v1/deals/by/reference/D-12')
      const { links } = await deal.get()
      const hold = links.getMany('operations').find(({ name }) => name === 'hold')
      assert.ok(hold)
      await deal.go(hold).put({ data: { reason: 'credit check' } })
      assert.equal((await deal.refresh()).data.held, true)
    },
    async refusal(service) {
      const unhold = open(service).go('/rest/v1/deals/by/reference/D-4/unhold')
      await assert.rejects(unhold.put({ data: {} }), { status: 409 })
    },
    async batch(service) {
      const commands = [{ action: 'CreateCustomer', params: { name: 'In a batch' } }]
      const { data } = await open(service)
        .go('/rest/v1/batch')
        .post({ data: { atomic: true, commands } })
      assert.equal(data.results[0].status, 'applied')
    },
  },
}

import assert from 'node:assert/strict'
import { EdmV4, OData } from '@odata/client'
import type { ForeignClient, TriedService } from '../foreign-client.ts'

interface Entity {
  readonly [name: string]: unknown
}

const open = ({ url, headers }: TriedService) =>
  OData.New4({ serviceEndpoint: `${url}/odata/`, commonHeaders: headers })

async function idOf(service: TriedService, reference: string): Promise<unknown> {
  const deals = open(service).getEntitySet<Entity>('Deals')
  const [deal] = await deals.query(deals.newFilter().property('reference').eqString(reference))
  return EdmV4.Guid.from(String(deal?.id))
}

export const client: ForeignClient = {
  packages: ['@odata/client'],
  door: '/odata',
  types: { without: 'It makes no types.' },
  tries: {
    async read(service) {
      assert.equal((await open(service).getEntitySet<Entity>('Customers').retrieve(1)).name, 'Customer 1')
    },
    async filter(service) {
      const deals = open(service).getEntitySet<Entity>('Deals')
      const filter = deals.newFilter().property('price').ge(5000).property('stage').eqString('lead')
      const found = await deals.query(deals.newOptions().filter(filter).orderby('price', 'asc').top(1))
      assert.equal(found[0]?.name, 'Deal 5')
    },
    async own(service) {
      const deals = open(service).getEntitySet<Entity>('Deals')
      const filter = deals.newFilter().property('own/choiceField').eqString('a').property('own/integerField').lt(4)
      const found = await deals.query(deals.newOptions().filter(filter).orderby('own/integerField', 'asc'))
      assert.partialDeepStrictEqual(found, [{ own: { integerField: 1 } }, { own: { integerField: 3 } }])
    },
    async pages(service) {
      const customers = open(service).getEntitySet<Entity>('Customers')
      const found = await customers.query(customers.newOptions().orderby('id', 'asc').skip(8).top(8))
      assert.deepEqual([found.length, found[0]?.id], [8, 9])
      assert.ok((await customers.count()) >= 20)
    },
    async related(service) {
      const customers = open(service).getEntitySet<Entity>('Customers')
      const deals = '$filter=price gt 1500;$orderby=price desc;$top=1;$select=name'
      const found = await customers.retrieve(2, customers.newOptions().expand(`deals(${deals})`))
      assert.partialDeepStrictEqual(found, { deals: [{ name: 'Deal 2' }] })
    },
    async create(service) {
      const deal = { name: 'By @odata/client', price: 80, own: { needed: 'x' } }
      assert.partialDeepStrictEqual(await open(service).getEntitySet<Entity>('Deals').create(deal), deal)
    },
    async change(service) {
      const customers = open(service).getEntitySet<Entity>('Customers')
      await customers.update(2, { age: 57 })
      assert.equal((await customers.retrieve(2)).age, 57)
    },
    async upsert(service) {
      const deals = open(service).getEntitySet<Entity>('Deals')
      for (const price of [5, 6]) {
        await deals.update({ reference: 'OC-1' }, { name: 'Upserted', price, own: { needed: 'x' } })
        assert.equal((await deals.retrieve({ reference: 'OC-1' })).price, price)
      }
    },
    async operation(service) {
      const deals = open(service).getEntitySet<Entity>('Deals')
      const id = (await idOf(service, 'D-15')) as Parameters<typeof deals.action>[1]
      assert.partialDeepStrictEqual(await deals.action('Dealdesk.Hold', id, { reason: 'credit check' }), { held: true })
    },
    async refusal(service) {
      const deals = open(service).getEntitySet<Entity>('Deals')
      const id = (await idOf(service, 'D-4')) as Parameters<typeof deals.action>[1]
      await assert.rejects(deals.action('Dealdesk.Unhold', id, {}), /not on hold/)
    },
    async batch(service) {
      const odata = open(service)
      const [made, found] = await odata.execBatchRequests([
        odata.newBatchRequest({ collection: 'Customers', entity: { name: 'In a batch' }, method: 'POST' }),
        odata.newBatchRequest({ collection: 'Customers', params: odata.newOptions().top(1) }),
      ])
      assert.deepEqual([made?.status, found?.status], [201, 200])
      assert.partialDeepStrictEqual(await made?.json(), { name: 'In a batch' })
    },
  },
}

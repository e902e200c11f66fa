import assert from 'node:assert/strict'
import Kitsu from 'kitsu'
import type { ForeignClient, TriedService } from '../foreign-client.ts'

function open({ url, headers }: TriedService): Kitsu {
  // Types are plural already, and members are spelled as they are.
  const spelling = { pluralize: false, camelCaseTypes: false, resourceCase: 'none' }
  return new Kitsu({ baseURL: `${url}/jsonapi`, headers, ...spelling })
}

async function idOf(service: TriedService, reference: string): Promise<string> {
  const { data } = await open(service).get('deals', { params: { filter: { reference } } })
  return data[0].id
}

export const client: ForeignClient = {
  packages: ['kitsu'],
  door: '/jsonapi',
  types: { without: 'It makes no types.' },
  tries: {
    async read(service) {
      assert.equal((await open(service).get('customers/1')).data.name, 'Customer 1')
    },
    async filter(service) {
      const filter = { price: { gte: 5000 }, name: { starts: 'Deal' }, stage: 'lead' }
      const { data } = await open(service).get('deals', { params: { filter, sort: 'price' } })
      assert.equal(data[0].name, 'Deal 5')
    },
    async own(service) {
      const filter = { 'own.choiceField': 'a', 'own.integerField': { lt: 4 } }
      const { data } = await open(service).get('deals', { params: { filter, sort: 'own.integerField' } })
      assert.partialDeepStrictEqual(data, [{ own: { integerField: 1 } }, { own: { integerField: 3 } }])
    },
    async pages(service) {
      const { data } = await open(service).get('customers', { params: { sort: 'id', page: { offset: 8, limit: 8 } } })
      assert.deepEqual([data.length, data[0].id], [8, '9'])
    },
    async related(service) {
      const filter = { 'customer.name': 'Customer 2' }
      const { data } = await open(service).get('deals', { params: { filter, include: 'customer' } })
      assert.equal(data[0].customer.data.name, 'Customer 2')
    },
    async create(service) {
      const deal = { name: 'By kitsu', price: 80, own: { needed: 'x' } }
      const { data } = await open(service).create('deals', deal)
      assert.match(data.id, /-/)
    },
    async change(service) {
      const { data } = await open(service).get('customers/2')
      // What was read is written back whole.
      const changed = await open(service).update('customers', { ...data, age: 60 })
      assert.equal(changed.data.age, 60)
    },
    upsert: { without: 'JSON:API has no upsert.' },
    async operation(service) {
      const id = await idOf(service, 'D-20')
      const { data } = await open(service).create(`deals/${id}/hold`, { type: 'deals', reason: 'credit check' })
      assert.equal(data.held, true)
    },
    async refusal(service) {
      const asked = open(service).create(`deals/${await idOf(service, 'D-4')}/unhold`, { type: 'deals' })
      await assert.rejects(asked, ({ errors }) => errors[0].code === 'wrong-state')
    },
    batch: { without: 'It has no Atomic Operations.' },
  },
}

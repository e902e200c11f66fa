import assert from 'node:assert/strict'
import * as module from 'o.js'
import type { ForeignClient, TriedService } from '../foreign-client.ts'

// Node reads the package as CommonJS, whose exports may be the default.
const { o } = 'o' in module ? module : (module as { readonly default: typeof module }).default

const batch = { endpoint: '$batch', boundaryPrefix: 'batch_', useChangset: false, useRelativeURLs: false }

function open({ url, headers }: TriedService) {
  const own = new Headers({ ...headers, 'content-type': 'application/json' })
  // A batch has headers of its own, whose type o.js sets.
  return o(`${url}/odata/`, { headers: own, referrer: '', batch: { ...batch, headers: new Headers(headers) } })
}

async function idOf(service: TriedService, reference: string): Promise<string> {
  const [deal] = await open(service)
    .get('Deals')
    .query({ $filter: `reference eq '${reference}'` })
  return deal.id
}

export const client: ForeignClient = {
  packages: ['o.js'],
  door: '/odata',
  types: { without: 'It makes no types.' },
  tries: {
    async read(service) {
      assert.equal((await open(service).get('Customers(1)').query()).name, 'Customer 1')
    },
    async filter(service) {
      const $filter = "price ge 5000 and startswith(name,'Deal') and stage eq 'lead'"
      const [deal] = await open(service).get('Deals').query({ $filter, $orderby: 'price', $top: 1 })
      assert.equal(deal.name, 'Deal 5')
    },
    async own(service) {
      const $filter = "own/choiceField eq 'a' and own/integerField lt 4"
      const found = await open(service).get('Deals').query({ $filter, $orderby: 'own/integerField' })
      assert.partialDeepStrictEqual(found, [{ own: { integerField: 1 } }, { own: { integerField: 3 } }])
    },
    async pages(service) {
      const found = await open(service).get('Customers').query({ $orderby: 'id', $skip: 8, $top: 8 })
      assert.deepEqual([found.length, found[0].id], [8, 9])
    },
    async related(service) {
      const $expand = 'deals($filter=price gt 1500;$orderby=price desc;$top=1;$select=name)'
      const found = await open(service).get('Customers(2)').query({ $expand })
      assert.partialDeepStrictEqual(found, { deals: [{ name: 'Deal 2' }] })
    },
    async create(service) {
      const deal = { name: 'By o.js', price: 80, own: { needed: 'x' } }
      assert.partialDeepStrictEqual(await open(service).post('Deals', deal).query(), deal)
    },
    async change(service) {
      await open(service).patch('Customers(2)', { age: 58 }).query()
      assert.equal((await open(service).get('Customers(2)').query()).age, 58)
    },
    async upsert(service) {
      for (const price of [5, 6]) {
        const body = { name: 'Upserted', price, own: { needed: 'x' } }
        await open(service).patch("Deals(reference='OJ-1')", body).query()
        assert.equal((await open(service).get("Deals(reference='OJ-1')").query()).price, price)
      }
    },
    async operation(service) {
      const id = await idOf(service, 'D-16')
      const deal = await open(service).post(`Deals(${id})/Dealdesk.Hold`, { reason: 'credit check' }).query()
      assert.equal(deal.held, true)
    },
    async refusal(service) {
      const asked = open(service)
        .post(`Deals(${await idOf(service, 'D-4')})/Dealdesk.Unhold`, {})
        .query()
      const answer = await asked.then(
        () => assert.fail('it was not refused'),
        (refused: Response) => refused.json(),
      )
      assert.equal(answer.error.code, 'wrong-state')
    },
    async batch(service) {
      const [made, found] = await open(service).post('Customers', { name: 'In a batch' }).get('Customers(1)').batch()
      assert.deepEqual([made.status, made.body.name, found.body.name], [201, 'In a batch', 'Customer 1'])
    },
  },
}

import assert from 'node:assert/strict'
import { generate } from 'orval'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import type { BatchResults, ConflictProblem, Customer, Deal, DealPage, Hal } from '../generated/orval/client.ts'

const functions = () => import('../generated/orval/client.ts')

const at = ({ headers }: TriedService): RequestInit => ({ headers })

/** Other representations of the same answer are texts, files or HAL: what is left is the type of the document. */
function inJson<T>(data: T | Hal | Blob | string | undefined): T {
  if (typeof data !== 'object' || data instanceof Blob) throw new Error(`no JSON: ${data}`)
  return data as T
}

export const client: ForeignClient = {
  packages: ['orval'],
  door: '/openapi.json',
  types: 'checked',
  async generate({ url, folder }) {
    // An answer has many representations; a program takes JSON.
    const contentType = { include: ['application/json', 'application/merge-patch+json', 'application/problem+json'] }
    const override = { contentType }
    const output = { target: `${folder}/client.ts`, client: 'fetch', baseUrl: url, override } as const
    await generate({ input: { target: `${url}/openapi.json` }, output })
  },
  tries: {
    async read(service) {
      const { readCustomer } = await functions()
      const answer = await readCustomer(1, undefined, at(service))
      assert.equal(answer.status === 200 && inJson<Customer>(answer.data).name, 'Customer 1')
    },
    async filter(service) {
      const { listDeals } = await functions()
      const query = { 'price.gte': 5000, 'name.starts': 'Deal', stage: 'lead', sort: 'price' } as const
      const answer = await listDeals(query, at(service))
      assert.equal(answer.status === 200 && inJson<DealPage>(answer.data).items[0]?.name, 'Deal 5')
    },
    async own(service) {
      const { listDeals } = await functions()
      const answer = await listDeals({ 'own.choiceField': 'a', 'own.integerField.lt': 4 }, at(service))
      const choices = answer.status === 200 ? inJson<DealPage>(answer.data).items.map(({ own }) => own.choiceField) : []
      assert.deepEqual(choices, ['a', 'a'])
    },
    async pages(service) {
      const { listDeals } = await functions()
      const first = await listDeals({ maxpagesize: 8, sort: 'name' }, at(service))
      const next = first.status === 200 ? inJson<DealPage>(first.data).links.next : undefined
      const after = new URL(next ?? '', service.url).searchParams.get('after') ?? ''
      const second = await listDeals({ maxpagesize: 8, sort: 'name', after }, at(service))
      assert.equal(second.status === 200 && inJson<DealPage>(second.data).items.length, 8)
    },
    async related(service) {
      const { listDeals } = await functions()
      const answer = await listDeals({ expand: 'customer', 'price.lte': 1000 }, at(service))
      assert.equal(answer.status === 200 && inJson<DealPage>(answer.data).items[0]?.customer?.name, 'Customer 1')
    },
    async create(service) {
      const { createDeal } = await functions()
      const answer = await createDeal({ name: 'By orval', price: 90, own: { needed: 'x' } }, undefined, at(service))
      assert.match(answer.status === 201 ? inJson<Deal>(answer.data).id : '', /-/)
    },
    async change(service) {
      const { updateCustomer } = await functions()
      const answer = await updateCustomer(2, { age: 53 }, undefined, at(service))
      assert.equal(answer.status === 200 && inJson<Customer>(answer.data).age, 53)
    },
    async upsert(service) {
      const { upsertDealByValue } = await functions()
      const body = { name: 'Upserted', price: 5, own: { needed: 'x' } }
      const { status } = await upsertDealByValue('reference', 'ORVAL-1', body, undefined, at(service))
      assert.equal(status, 201)
    },
    async operation(service) {
      const { holdDeal, listDeals } = await functions()
      const answer = await listDeals({ reference: 'D-8' }, at(service))
      const id = (answer.status === 200 && inJson<DealPage>(answer.data).items[0]?.id) || ''
      const held = await holdDeal(id, { reason: 'credit check' }, undefined, at(service))
      assert.equal(held.status === 200 && inJson<Deal>(held.data).held, true)
    },
    async refusal(service) {
      const { listDeals, unholdDeal } = await functions()
      const answer = await listDeals({ reference: 'D-9' }, at(service))
      const id = (answer.status === 200 && inJson<DealPage>(answer.data).items[0]?.id) || ''
      const refused = await unholdDeal(id, {}, undefined, at(service))
      assert.equal(refused.status === 409 && inJson<ConflictProblem>(refused.data).code, 'wrong-state')
    },
    async batch(service) {
      const { postBatch } = await functions()
      const commands = [{ action: 'CreateCustomer', params: { name: 'In a batch' } }]
      const answer = await postBatch({ atomic: true, commands }, undefined, at(service))
      assert.equal(answer.status === 200 && inJson<BatchResults>(answer.data).results[0]?.status, 'applied')
    },
  },
}

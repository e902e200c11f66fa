import assert from 'node:assert/strict'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import { bundle, runTool } from '../run-tool.ts'

const bundled = '../generated/hey-api/bundle.js'
const functions = (): Promise<typeof import('../generated/hey-api/index.ts')> => import(bundled)

const at = ({ url, headers }: TriedService) => ({ baseUrl: url, headers })

export const client: ForeignClient = {
  packages: ['@hey-api/openapi-ts'],
  door: '/openapi.json',
  types: 'checked',
  async generate({ url, folder }) {
    await runTool('openapi-ts', '--input', `${url}/openapi.json`, '--output', folder, '--silent')
    await bundle(`${folder}/index.ts`, `${folder}/bundle.js`)
  },
  tries: {
    async read(service) {
      const { readCustomer } = await functions()
      const { data } = await readCustomer({ ...at(service), path: { id: 1 } })
      const name: string | undefined = data?.name
      assert.equal(name, 'Customer 1')
    },
    async filter(service) {
      const { listDeals } = await functions()
      const query = { 'price.gte': 5000, 'name.starts': 'Deal', stage: 'lead', sort: 'price' } as const
      const { data } = await listDeals({ ...at(service), query })
      const names: readonly string[] = data?.items.map(({ name }) => name) ?? []
      assert.equal(names[0], 'Deal 5')
    },
    async own(service) {
      const { listDeals } = await functions()
      const { data } = await listDeals({ ...at(service), query: { 'own.choiceField': 'a', 'own.integerField.lt': 4 } })
      assert.deepEqual(
        data?.items.map(({ own }) => own.choiceField),
        ['a', 'a'],
      )
    },
    async pages(service) {
      const { listDeals } = await functions()
      const first = await listDeals({ ...at(service), query: { maxpagesize: 8, sort: 'name' } })
      const after = new URL(first.data?.links.next ?? '', service.url).searchParams.get('after') ?? ''
      const second = await listDeals({ ...at(service), query: { maxpagesize: 8, sort: 'name', after } })
      assert.equal(second.data?.items.length, 8)
    },
    async related(service) {
      const { listDeals } = await functions()
      const { data } = await listDeals({ ...at(service), query: { expand: 'customer', 'price.lte': 1000 } })
      assert.equal(data?.items[0]?.customer?.name, 'Customer 1')
    },
    async create(service) {
      const { createDeal } = await functions()
      const { data } = await createDeal({
        ...at(service),
        body: { name: 'By hey-api', price: 80, own: { needed: 'x' } },
      })
      const id: string | undefined = data?.id
      assert.match(id ?? '', /-/)
    },
    async change(service) {
      const { updateCustomer } = await functions()
      const { data } = await updateCustomer({ ...at(service), path: { id: 2 }, body: { age: 52 } })
      assert.equal(data?.age, 52)
    },
    async upsert(service) {
      const { upsertDealByValue } = await functions()
      const path = { field: 'reference', value: 'HEY-1' } as const
      const { response } = await upsertDealByValue({
        ...at(service),
        path,
        body: { name: 'Upserted', price: 5, own: { needed: 'x' } },
      })
      assert.equal(response?.status, 201)
    },
    async operation(service) {
      const { holdDeal, listDeals } = await functions()
      const { data } = await listDeals({ ...at(service), query: { reference: 'D-6' } })
      const path = { id: data?.items[0]?.id ?? '' }
      const held = await holdDeal({ ...at(service), path, body: { reason: 'credit check' } })
      assert.equal(held.data?.held, true)
    },
    async refusal(service) {
      const { listDeals, unholdDeal } = await functions()
      const { data } = await listDeals({ ...at(service), query: { reference: 'D-7' } })
      const { error } = await unholdDeal({ ...at(service), path: { id: data?.items[0]?.id ?? '' }, body: {} })
      assert.equal(error !== undefined && typeof error === 'object' && error.code, 'wrong-state')
    },
    async batch(service) {
      const { postBatch } = await functions()
      const commands = [{ action: 'CreateCustomer', params: { name: 'In a batch' } }]
      const { data } = await postBatch({ ...at(service), body: { atomic: true, commands } })
      assert.equal(data?.results[0]?.status, 'applied')
    },
  },
}

import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import type { paths } from '../generated/openapi-fetch/document.ts'
import { runTool } from '../run-tool.ts'

type Media = 'application/json' | 'application/problem+json'

const open = ({ url, headers }: TriedService) => createClient<paths, Media>({ baseUrl: url, headers })

/** Its answers are typed: what the service says must have the members that are read here. */
export const client: ForeignClient = {
  packages: ['openapi-typescript', 'openapi-fetch'],
  door: '/openapi.json',
  types: 'checked',
  async generate({ url, folder }) {
    await runTool('openapi-typescript', `${url}/openapi.json`, '--output', `${folder}/document.ts`)
  },
  tries: {
    async read(service) {
      const { data } = await open(service).GET('/customers/{id}', { params: { path: { id: 1 } } })
      const name: string | undefined = data?.name
      assert.equal(name, 'Customer 1')
    },
    async filter(service) {
      const query = { 'price.gte': 5000, 'name.starts': 'Deal', stage: 'lead', sort: 'price' } as const
      const { data } = await open(service).GET('/rest/v1/deals', { params: { query } })
      const names: readonly string[] = data?.items.map(({ name }) => name) ?? []
      assert.equal(names[0], 'Deal 5')
    },
    async own(service) {
      const query = { 'own.choiceField': 'a', 'own.integerField.lt': 4 } as const
      const { data } = await open(service).GET('/rest/v1/deals', { params: { query } })
      const choices = data?.items.map(({ own }): 'a' | 'b' | 'c' | null | undefined => own.choiceField)
      assert.deepEqual(choices, ['a', 'a'])
    },
    async pages(service) {
      const { GET } = open(service)
      const first = await GET('/rest/v1/deals', { params: { query: { maxpagesize: 8, sort: 'name' } } })
      const next = new URL(first.data?.links.next ?? '', service.url).searchParams
      const after = next.get('after') ?? ''
      const second = await GET('/rest/v1/deals', { params: { query: { maxpagesize: 8, sort: 'name', after } } })
      assert.equal(second.data?.items.length, 8)
      assert.notEqual(second.data?.items[0]?.id, first.data?.items[0]?.id)
    },
    async related(service) {
      const query = { expand: 'customer', 'price.lte': 1000 } as const
      const { data } = await open(service).GET('/rest/v1/deals', { params: { query } })
      assert.equal(data?.items[0]?.customer?.name, 'Customer 1')
    },
    async create(service) {
      const body = { name: 'By openapi-fetch', price: 70, own: { needed: 'x' } }
      const { data } = await open(service).POST('/rest/v1/deals/', { body })
      const id: string | undefined = data?.id
      assert.match(id ?? '', /-/)
    },
    async change(service) {
      const { PATCH } = open(service)
      const { data } = await PATCH('/customers/{id}', { params: { path: { id: 2 } }, body: { age: 51 } })
      assert.equal(data?.age, 51)
    },
    async upsert(service) {
      const path = { field: 'reference', value: 'OF-1' } as const
      const body = { name: 'Upserted', price: 5, own: { needed: 'x' } }
      const made = await open(service).PUT('/rest/v1/deals/by/{field}/{value}', { params: { path }, body })
      assert.equal(made.response.status, 201)
      const again = await open(service).PUT('/rest/v1/deals/by/{field}/{value}', { params: { path }, body })
      assert.equal(again.response.status, 200)
    },
    async operation(service) {
      const { GET, PUT } = open(service)
      const { data } = await GET('/rest/v1/deals', { params: { query: { reference: 'D-3' } } })
      const path = { id: data?.items[0]?.id ?? '' }
      const held = await PUT('/rest/v1/deals/{id}/hold', { params: { path }, body: { reason: 'credit check' } })
      assert.equal(held.data?.held, true)
    },
    async refusal(service) {
      const { data } = await open(service).GET('/rest/v1/deals', { params: { query: { reference: 'D-4' } } })
      const path = { id: data?.items[0]?.id ?? '' }
      const { error } = await open(service).PUT('/rest/v1/deals/{id}/unhold', { params: { path }, body: {} })
      assert.equal(error?.code, 'wrong-state')
    },
    async batch(service) {
      const commands = [{ action: 'CreateCustomer', params: { name: 'In a batch' } }]
      const { data } = await open(service).POST('/rest/v1/batch', { body: { atomic: true, commands } })
      assert.equal(data?.results[0]?.status, 'applied')
    },
  },
}

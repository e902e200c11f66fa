import assert from 'node:assert/strict'
import Jsona from 'jsona'
import type { ForeignClient, Trial, TriedService } from '../foreign-client.ts'

const TYPE = 'application/vnd.api+json'
const jsona = new Jsona()

// biome-ignore lint/suspicious/noExplicitAny: jsona gives things of any kind
type Thing = any

async function ask({ url, headers }: TriedService, method: string, path: string, stuff?: Thing): Promise<Thing> {
  const answer = await fetch(`${url}/jsonapi/${path}`, {
    method,
    headers: { ...headers, 'content-type': TYPE, accept: TYPE },
    ...(stuff && { body: JSON.stringify(jsona.serialize({ stuff })) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return jsona.deserialize(await answer.text())
}

const noRequests: Trial = { without: 'It reads and writes documents, and sends none.' }

export const client: ForeignClient = {
  packages: ['jsona'],
  door: '/jsonapi',
  types: { without: 'It makes no types.' },
  tries: {
    async read(service) {
      assert.equal((await ask(service, 'GET', 'customers/1')).name, 'Customer 1')
    },
    filter: noRequests,
    async own(service) {
      const [deal] = await ask(service, 'GET', 'deals?filter[reference]=D-1')
      assert.equal(deal.own.choiceField, 'a')
    },
    pages: noRequests,
    async related(service) {
      const [deal] = await ask(service, 'GET', 'deals?filter[reference]=D-2&include=customer')
      assert.equal(deal.customer.name, 'Customer 2')
    },
    async create(service) {
      const deal = { type: 'deals', name: 'By jsona', price: 80, own: { needed: 'x' } }
      assert.match((await ask(service, 'POST', 'deals', deal)).id, /-/)
    },
    async change(service) {
      const customer = await ask(service, 'GET', 'customers/2')
      // What was read is written back whole.
      assert.equal((await ask(service, 'PATCH', 'customers/2', { ...customer, age: 61 })).age, 61)
    },
    upsert: { without: 'JSON:API has no upsert.' },
    async operation(service) {
      const [{ id }] = await ask(service, 'GET', 'deals?filter[reference]=D-19')
      const held = await ask(service, 'POST', `deals/${id}/hold`, { type: 'deals', id, reason: 'credit check' })
      assert.equal(held.held, true)
    },
    refusal: noRequests,
    batch: noRequests,
  },
}

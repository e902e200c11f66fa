import assert from 'node:assert/strict'
import type { ForeignClient, Trial, TriedService } from './foreign-client.ts'

/** A call of something with a name, as JSON-RPC and MCP have it: the result, or the problem. */
interface NamedAnswer {
  readonly result?: unknown
  readonly problem?: unknown
}

interface OfClient {
  readonly prefix: string
  /** The reference of the deal that is held. */
  readonly held: string
  /** The name of an operation, or of reading one or several, as the protocol spells it. */
  readonly named: (resource: 'deal' | 'customer', what: string) => string
  readonly call: (service: TriedService, name: string, params: object) => Promise<NamedAnswer>
  readonly batch: Trial
}

interface Items {
  readonly items: readonly { readonly [name: string]: unknown }[]
  readonly after: string
}

export function namedTries({ prefix, held, named, call, batch }: OfClient): ForeignClient['tries'] {
  const done = async (service: TriedService, name: string, params: object): Promise<unknown> => {
    const { result, problem } = await call(service, name, params)
    assert.equal(problem, undefined)
    return result
  }
  const list = async (service: TriedService, on: 'deal' | 'customer', params: object): Promise<Items> =>
    (await done(service, named(on, 'list'), params)) as Items
  const idOf = async (service: TriedService, reference: string): Promise<unknown> =>
    (await list(service, 'deal', { filter: { reference } })).items[0]?.id
  return {
    async read(service) {
      assert.partialDeepStrictEqual(await done(service, named('customer', 'get'), { id: 1 }), { name: 'Customer 1' })
    },
    async filter(service) {
      const filter = { price: { gte: 5000 }, name: { starts: 'Deal' }, stage: 'lead' }
      const { items } = await list(service, 'deal', { filter, sort: 'price' })
      assert.equal(items[0]?.name, 'Deal 5')
    },
    async own(service) {
      const filter = { 'own.choiceField': 'a', 'own.integerField': { lt: 4 } }
      const { items } = await list(service, 'deal', { filter, sort: 'name' })
      assert.partialDeepStrictEqual(items, [{ own: { integerField: 1 } }, { own: { integerField: 3 } }])
    },
    async pages(service) {
      const first = await list(service, 'customer', { sort: 'id', limit: 8 })
      const second = await list(service, 'customer', { sort: 'id', limit: 8, after: first.after })
      assert.equal(second.items[0]?.id, 9)
    },
    async related(service) {
      const { items } = await list(service, 'deal', { filter: { 'customer.name': 'Customer 2' }, expand: 'customer' })
      assert.partialDeepStrictEqual(items, [{ name: 'Deal 2', customer: { name: 'Customer 2' } }])
    },
    async create(service) {
      const deal = { name: `By ${prefix}`, price: 80, own: { needed: 'x' } }
      assert.partialDeepStrictEqual(await done(service, named('deal', 'create'), deal), deal)
    },
    async change(service) {
      const changed = await done(service, named('customer', 'change'), { id: 2, age: 56 })
      assert.partialDeepStrictEqual(changed, { age: 56 })
    },
    upsert: { without: 'It calls operations, and an upsert is none: it is REST, OData, PostgREST and GraphQL.' },
    async operation(service) {
      const id = await idOf(service, held)
      const deal = await done(service, named('deal', 'hold'), { id, reason: 'credit check' })
      assert.partialDeepStrictEqual(deal, { held: true })
    },
    async refusal(service) {
      const { problem } = await call(service, named('deal', 'unhold'), { id: await idOf(service, 'D-4') })
      assert.partialDeepStrictEqual(problem, { code: 'wrong-state' })
    },
    batch,
  }
}

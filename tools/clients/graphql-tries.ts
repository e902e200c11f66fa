import assert from 'node:assert/strict'
import type { ForeignClient, TriedService } from './foreign-client.ts'

interface GraphqlAnswer {
  readonly data: unknown
  /** The `extensions` of the first error. */
  readonly refusal?: { readonly [name: string]: unknown }
}

type AskGraphql = (
  service: TriedService,
  document: string,
  variables?: { readonly [name: string]: unknown },
) => Promise<GraphqlAnswer>

interface OfClient {
  /** What is new has it in its name and reference, so that one client does not meet the things of another. */
  readonly prefix: string
  /** The reference of the deal that is held. */
  readonly held: string
}

const idByReference = 'query ($where: DealFilter) { deals(first: 1, where: $where) { edges { node { id } } } }'

/** The same documents through each client of GraphQL. */
export function graphqlTries(ask: AskGraphql, { prefix, held }: OfClient): ForeignClient['tries'] {
  const answered: typeof ask = async (...asked) => {
    const answer = await ask(...asked)
    assert.equal(answer.refusal, undefined)
    return answer
  }
  const idOf = async (service: TriedService, reference: string): Promise<string> => {
    const { data } = await answered(service, idByReference, { where: { reference: { eq: reference } } })
    const { deals } = data as {
      readonly deals: { readonly edges: readonly { readonly node: { readonly id: string } }[] }
    }
    return deals.edges[0]?.node.id ?? ''
  }
  return {
    async read(service) {
      const { data } = await answered(service, 'query ($id: ID!) { customer(id: $id) { name } }', { id: '1' })
      assert.partialDeepStrictEqual(data, { customer: { name: 'Customer 1' } })
    },
    async filter(service) {
      const where = { price: { gte: 5000 }, name: { starts: 'Deal' }, stage: { eq: 'lead' } }
      const document = `query ($where: DealFilter) {
        deals(first: 1, where: $where, orderBy: "price") { edges { node { name } } }
      }`
      const { data } = await answered(service, document, { where })
      assert.partialDeepStrictEqual(data, { deals: { edges: [{ node: { name: 'Deal 5' } }] } })
    },
    async own(service) {
      const document = `{
        deals(where: { own: { choiceField: { eq: "a" }, integerField: { lt: 4 } } }, orderBy: "own.integerField") {
          edges { node { own { integerField } } }
        }
      }`
      const { data } = await answered(service, document)
      const edges = [1, 3].map((integerField) => ({ node: { own: { integerField } } }))
      assert.partialDeepStrictEqual(data, { deals: { edges } })
    },
    async pages(service) {
      const document = `query ($after: String) {
        customers(first: 8, after: $after, orderBy: "id") { edges { node { id } } pageInfo { endCursor } }
      }`
      const { data } = await answered(service, document)
      const first = data as { readonly customers: { readonly pageInfo: { readonly endCursor: string } } }
      const second = await answered(service, document, { after: first.customers.pageInfo.endCursor })
      assert.partialDeepStrictEqual(second.data, { customers: { edges: [{ node: { id: '9' } }] } })
    },
    async related(service) {
      const document = `{
        customer(id: 2) { deals(first: 1, where: { price: { gt: 1500 } }, orderBy: "-price") { edges { node { name } } } }
      }`
      const { data } = await answered(service, document)
      assert.partialDeepStrictEqual(data, { customer: { deals: { edges: [{ node: { name: 'Deal 2' } }] } } })
    },
    async create(service) {
      const document = `mutation ($name: String!) {
        createDeal(name: $name, price: 80, own: { needed: "x" }) { deal { name own { needed } } }
      }`
      const { data } = await answered(service, document, { name: `By ${prefix}` })
      assert.partialDeepStrictEqual(data, { createDeal: { deal: { name: `By ${prefix}`, own: { needed: 'x' } } } })
    },
    async change(service) {
      const { data } = await answered(service, 'mutation { changeCustomer(id: 2, age: 55) { customer { age } } }')
      assert.partialDeepStrictEqual(data, { changeCustomer: { customer: { age: 55 } } })
    },
    async upsert(service) {
      const document = `mutation ($by: DealKey!, $price: Decimal) {
        upsertDeal(by: $by, name: "Upserted", price: $price, own: { needed: "x" }) { deal { price } }
      }`
      for (const price of [5, 6]) {
        const { data } = await answered(service, document, { by: { reference: `${prefix}-1` }, price })
        assert.partialDeepStrictEqual(data, { upsertDeal: { deal: { price } } })
      }
    },
    async operation(service) {
      const document = 'mutation ($id: ID!) { holdDeal(id: $id, reason: "credit check") { deal { held } } }'
      const { data } = await answered(service, document, { id: await idOf(service, held) })
      assert.partialDeepStrictEqual(data, { holdDeal: { deal: { held: true } } })
    },
    async refusal(service) {
      const document = 'mutation ($id: ID!) { unholdDeal(id: $id) { deal { held } } }'
      const { refusal } = await ask(service, document, { id: await idOf(service, 'D-4') })
      assert.equal(refusal?.code, 'wrong-state')
    },
    async batch(service) {
      const document = `mutation {
        one: createCustomer(name: "One", country: "IT") { customer { country } }
        two: createCustomer(name: "Two", country: "IT") { customer { country } }
      }`
      const { data } = await answered(service, document)
      assert.partialDeepStrictEqual(data, { two: { customer: { country: 'IT' } } })
    },
  }
}

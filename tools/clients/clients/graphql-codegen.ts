import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as typedDocuments from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { Client, fetchExchange } from '@urql/core'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, parse, printSchema } from 'graphql'
import { type Feature, type ForeignClient, features, type Trial, type TriedService } from '../foreign-client.ts'

const document = `
query Read($where: DealFilter) {
  deals(first: 1, where: $where, orderBy: "price") { edges { node { id name customer { name } own { choiceField } } } }
}
mutation Create($name: String!, $own: DealOwnInput) {
  createDeal(name: $name, price: 80, own: $own) { deal { id name } }
}
mutation Hold($id: ID!) { holdDeal(id: $id, reason: "credit check") { deal { held } } }
`

const documents = (): Promise<typeof import('../generated/graphql-codegen/documents.ts')> =>
  import('../generated/graphql-codegen/documents.ts')

const open = ({ url, headers }: TriedService) =>
  new Client({ url: `${url}/graphql`, exchanges: [fetchExchange], fetchOptions: { headers }, preferGetMethod: false })

const others = Object.keys(features).map((name): [Feature, Trial] => [
  name as Feature,
  { without: 'It makes the types of documents; Apollo and urql send them.' },
])

export const client: ForeignClient = {
  packages: ['@graphql-codegen/core', '@graphql-codegen/typescript-operations'],
  door: '/graphql',
  types: 'checked',
  async generate({ url, headers, folder }) {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery() }),
    })
    const { data } = (await answer.json()) as { readonly data: IntrospectionQuery }
    const made = await codegen({
      filename: `${folder}/documents.ts`,
      documents: [{ location: 'documents.graphql', document: parse(document) }],
      schema: parse(printSchema(buildClientSchema(data))),
      config: { useTypeImports: true, enumsAsTypes: true },
      plugins: [{ operations: {} }, { typedDocuments: {} }],
      pluginMap: { operations, typedDocuments },
    })
    writeFileSync(`${folder}/documents.ts`, made)
  },
  tries: {
    ...(Object.fromEntries(others) as ForeignClient['tries']),
    async filter(service) {
      const { ReadDocument } = await documents()
      const where = { price: { gte: 5000 }, stage: { eq: 'lead' } }
      const { data } = await open(service).query(ReadDocument, { where }).toPromise()
      const name: string | undefined = data?.deals?.edges[0]?.node.name
      assert.equal(name, 'Deal 5')
    },
    async own(service) {
      const { ReadDocument } = await documents()
      const where = { own: { choiceField: { eq: 'a' }, integerField: { gt: 2 } } }
      const { data } = await open(service).query(ReadDocument, { where }).toPromise()
      const choice: string | null | undefined = data?.deals?.edges[0]?.node.own.choiceField
      assert.equal(choice, 'a')
    },
    async create(service) {
      const { CreateDocument } = await documents()
      const variables = { name: 'By graphql-codegen', own: { needed: 'x' } }
      const { data } = await open(service).mutation(CreateDocument, variables).toPromise()
      const id: string | undefined = data?.createDeal?.deal?.id
      assert.match(id ?? '', /-/)
    },
  },
}

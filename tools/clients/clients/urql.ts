import { Client, cacheExchange, fetchExchange } from '@urql/core'
import type { ForeignClient } from '../foreign-client.ts'
import { graphqlTries } from '../graphql-tries.ts'

export const client: ForeignClient = {
  packages: ['@urql/core'],
  door: '/graphql',
  types: { without: 'graphql-codegen makes them.' },
  tries: graphqlTries(
    async ({ url, headers }, document, variables = {}) => {
      const exchanges = [cacheExchange, fetchExchange]
      const urql = new Client({ url: `${url}/graphql`, exchanges, fetchOptions: { headers }, preferGetMethod: false })
      const asked = document.startsWith('mutation')
        ? urql.mutation(document, variables)
        : urql.query(document, variables)
      const { data, error } = await asked.toPromise()
      if (error?.networkError !== undefined) throw error.networkError
      return { data, refusal: error?.graphQLErrors[0]?.extensions }
    },
    { prefix: 'urql', held: 'D-2' },
  ),
}

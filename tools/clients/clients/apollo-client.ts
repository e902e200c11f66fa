import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import type { ForeignClient } from '../foreign-client.ts'
import { graphqlTries } from '../graphql-tries.ts'

export const client: ForeignClient = {
  packages: ['@apollo/client'],
  door: '/graphql',
  types: { without: 'graphql-codegen makes them.' },
  tries: graphqlTries(
    async ({ url, headers }, document, variables) => {
      const link = new HttpLink({ uri: `${url}/graphql`, headers: { ...headers } })
      const apollo = new ApolloClient({ link, cache: new InMemoryCache() })
      const asked = gql(document)
      const { data, error } = document.startsWith('mutation')
        ? await apollo.mutate({ mutation: asked, variables, errorPolicy: 'all' })
        : await apollo.query({ query: asked, variables, errorPolicy: 'all' })
      if (error !== undefined && !CombinedGraphQLErrors.is(error)) throw error
      return { data, refusal: error?.errors[0]?.extensions }
    },
    { prefix: 'apollo', held: 'D-1' },
  ),
}

import assert from 'node:assert/strict'
import { auditServer } from 'graphql-http'
import { type Feature, type ForeignClient, features, type Trial } from '../foreign-client.ts'

const others = Object.keys(features).map((name): [Feature, Trial] => [
  name as Feature,
  { without: 'It audits GraphQL over HTTP, what a server must and what it should do, and nothing else.' },
])

export const client: ForeignClient = {
  packages: ['graphql-http'],
  door: '/graphql',
  types: { without: 'graphql-codegen makes them.' },
  tries: {
    ...(Object.fromEntries(others) as ForeignClient['tries']),
    async read({ url, headers }) {
      const fetchFn = (address: string, init: RequestInit = {}): Promise<Response> =>
        fetch(address, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } })
      const results = await auditServer({ url: `${url}/graphql`, fetchFn })
      const missed = results.filter((each) => each.status !== 'ok').map(({ name }) => name)
      assert.ok(results.length > 50)
      assert.deepEqual(
        missed.filter((name) => !name.startsWith('MAY')),
        [],
      )
    },
  },
}

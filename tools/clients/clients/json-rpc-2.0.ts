import assert from 'node:assert/strict'
import { createJSONRPCRequest, JSONRPCClient, JSONRPCErrorException } from 'json-rpc-2.0'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import { namedTries } from '../named-tries.ts'

function open({ url, headers }: TriedService): JSONRPCClient {
  const rpc: JSONRPCClient = new JSONRPCClient(async (asked) => {
    const answer = await fetch(`${url}/rpc`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    rpc.receive(await answer.json())
  })
  return rpc
}

export const client: ForeignClient = {
  packages: ['json-rpc-2.0'],
  door: '/rpc',
  types: { without: 'It has none for methods; `rpc.discover` describes them.' },
  tries: namedTries({
    prefix: 'json-rpc-2.0',
    held: 'D-5',
    named: (resource, what) => `${resource}s.${what}`,
    async call(service, name, params) {
      try {
        return { result: await open(service).request(name, params) }
      } catch (cause) {
        if (!(cause instanceof JSONRPCErrorException)) throw cause
        return { problem: cause.data }
      }
    },
    async batch(service) {
      const asked = ['One', 'Two'].map((name, at) => createJSONRPCRequest(at + 1, 'customers.create', { name }))
      const answers = await open(service).requestAdvanced(asked)
      assert.partialDeepStrictEqual(answers, [{ result: { name: 'One' } }, { result: { name: 'Two' } }])
    },
  }),
}

import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import type { paths } from '../generated/openapi-fetch/document.ts'
import { runTool } from '../run-tool.ts'

const open = ({ url, headers }: TriedService) => createClient<paths, 'application/json'>({ baseUrl: url, headers })

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
      assert.equal(data?.name, 'Customer 1')
    },
    filter: { without: 'not tried yet' },
    own: { without: 'not tried yet' },
    pages: { without: 'not tried yet' },
    related: { without: 'not tried yet' },
    create: { without: 'not tried yet' },
    change: { without: 'not tried yet' },
    upsert: { without: 'not tried yet' },
    operation: { without: 'not tried yet' },
    refusal: { without: 'not tried yet' },
    batch: { without: 'not tried yet' },
  },
}

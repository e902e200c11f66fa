import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ForeignClient } from '../foreign-client.ts'
import { namedTries } from '../named-tries.ts'

export const client: ForeignClient = {
  packages: ['@modelcontextprotocol/sdk'],
  door: '/mcp',
  types: { without: 'Assistants read the schemas of the tools, with which the SDK checks each answer.' },
  tries: namedTries({
    prefix: 'the MCP SDK',
    held: 'D-17',
    named: (resource, what) => `${what}_${what === 'list' ? `${resource}s` : resource}`,
    async call({ url, headers }, name, params) {
      const mcp = new Client({ name: 'clients', version: '1.0.0' })
      await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
      // The SDK checks what a tool answers against the schemas that it has listed.
      await mcp.listTools()
      const { isError, structuredContent } = await mcp.callTool({ name, arguments: { ...params } })
      await mcp.close()
      return isError ? { problem: structuredContent } : { result: structuredContent }
    },
    batch: { without: 'The protocol has no batches any more.' },
  }),
}

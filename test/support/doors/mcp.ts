import { functionName } from '../../../src/doors/kit/declaring.ts'
import { type DoorAdapter, saidIn, type Told } from './adapter.ts'

export const mcp: DoorAdapter = {
  door: 'mcp',
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query = '', headers = {} } = sample
    const { body } = await service.request('POST', `/mcp${query}`, {
      headers,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: functionName(operation),
          arguments: {
            ...(operation.to !== 'nothing' && { id: target }),
            ...params,
            ...saidIn(sample),
          },
        },
      },
    })
    const { structuredContent: said, isError } = body.result as {
      readonly structuredContent: { readonly [member: string]: unknown }
      readonly isError: boolean
    }
    if (isError) return { problem: said }
    return { thing: said.removed === true ? null : said }
  },
  /** As a resource of the protocol: the parts of the model have no tools. */
  async read(service, { plural }, id) {
    const uri = `dealdesk://${plural}/${id}`
    const { body } = await service.request('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } },
    })
    const { contents } = body.result as { readonly contents: readonly { readonly text: string }[] }
    return JSON.parse(contents[0]?.text ?? '{}')
  },
}

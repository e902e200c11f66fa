import { functionName } from '../../../src/http/doors/parts/names.ts'
import type { DoorAdapter, Told } from './adapter.ts'

export const mcp: DoorAdapter = {
  door: 'mcp',
  async perform(service, { operation, params, target, command, expectedRevision }): Promise<Told> {
    const { body } = await service.request('POST', '/mcp', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: functionName(operation),
          arguments: {
            ...(operation.to !== 'nothing' && { id: target }),
            ...params,
            ...(command !== '' && { commandId: command }),
            ...(expectedRevision !== undefined && { expectedRevision }),
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
}

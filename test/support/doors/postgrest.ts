import { functionName } from '../../../src/http/doors/parts/names.ts'
import type { DoorAdapter, Told } from './adapter.ts'

export const postgrest: DoorAdapter = {
  door: 'postgrest',
  async perform(service, { operation, params, target, command, expectedRevision }): Promise<Told> {
    const { status, body } = await service.request('POST', `/postgrest/rpc/${functionName(operation)}`, {
      body: {
        ...(operation.to !== 'nothing' && { id: target }),
        ...params,
        ...(command !== '' && { commandId: command }),
        ...(expectedRevision !== undefined && { expectedRevision }),
      },
    })
    if (status === 204) return { thing: null }
    return status === 200 ? { thing: body } : { problem: body.problem as { readonly [member: string]: unknown } }
  },
}

import type { DoorAdapter, Told } from './adapter.ts'

export const rpc: DoorAdapter = {
  door: 'rpc',
  async perform(service, { operation, params, target, command, expectedRevision }): Promise<Told> {
    const { body } = await service.request('POST', '/rpc', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: `${operation.on.plural}.${operation.name}`,
        params: {
          ...(operation.to !== 'nothing' && { id: target }),
          ...params,
          ...(command !== '' && { commandId: command }),
          ...(expectedRevision !== undefined && { expectedRevision }),
        },
      },
    })
    const { result, error } = body as unknown as {
      readonly result?: { readonly [field: string]: unknown } | null
      readonly error?: { readonly data: { readonly [member: string]: unknown } }
    }
    return error === undefined ? { thing: result ?? null } : { problem: error.data }
  },
}

import { type DoorAdapter, type Shown, saidIn, type Told } from './adapter.ts'

export const rpc: DoorAdapter = {
  door: 'rpc',
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query = '', headers = {} } = sample
    const { body } = await service.request('POST', `/rpc${query}`, {
      headers,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: `${operation.on.plural}.${operation.name}`,
        params: {
          ...(operation.to !== 'nothing' && { id: target }),
          ...params,
          ...saidIn(sample),
        },
      },
    })
    const { result, error } = body as unknown as {
      readonly result?: { readonly [field: string]: unknown } | null
      readonly error?: { readonly data: { readonly [member: string]: unknown } }
    }
    return error === undefined ? { thing: result ?? null } : { problem: error.data }
  },
  async read(service, { plural }, id) {
    const { body } = await service.request('POST', '/rpc', {
      body: { jsonrpc: '2.0', id: 1, method: `${plural}.get`, params: { id } },
    })
    return body.result as Shown
  },
}

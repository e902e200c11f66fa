import { functionName } from '../../../src/doors/kit/declaring.ts'
import { type DoorAdapter, type Shown, saidIn, type Told } from './adapter.ts'

export const postgrest: DoorAdapter = {
  door: 'postgrest',
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query = '', headers = {} } = sample
    const { status, body } = await service.request('POST', `/postgrest/rpc/${functionName(operation)}${query}`, {
      headers,
      body: {
        ...(operation.to !== 'nothing' && { id: target }),
        ...params,
        ...saidIn(sample),
      },
    })
    if (status === 204) return { thing: null }
    return status === 200 ? { thing: body } : { problem: body.problem as { readonly [member: string]: unknown } }
  },
  async read(service, { plural, names }, id) {
    const { body } = await service.request('GET', `/postgrest/${plural}?id=eq.${id}&select=${names}`)
    const [row] = body as unknown as readonly Shown[]
    return row ?? {}
  },
}

import { pascalCase } from '../../../src/values/letter-case.ts'
import { type DoorAdapter, saidIn, type Told } from './adapter.ts'

export const odata: DoorAdapter = {
  door: 'odata',
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query = '', headers = {} } = sample
    const set = pascalCase(operation.on.plural)
    const bound = operation.to === 'nothing' ? set : `${set}(${target})`
    const path = `/odata/${bound}/Dealdesk.${pascalCase(operation.name)}${query}`
    const { status, body } = await service.request('POST', path, { body: { ...params, ...saidIn(sample) }, headers })
    if (status === 204) return { thing: null }
    if (status < 300) return { thing: body }
    const { error } = body as unknown as {
      readonly error: { readonly innererror: { readonly [name: string]: unknown } }
    }
    return { problem: error.innererror }
  },
  async read(service, { plural, names }, id) {
    return (await service.request('GET', `/odata/${pascalCase(plural)}(${id})?$select=${names}`)).body
  },
}

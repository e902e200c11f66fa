import { pascalCase } from '../../../src/http/doors/parts/names.ts'
import type { DoorAdapter, Told } from './adapter.ts'

/** The entity as it is before the change, whose tag names its revision. */
type Entity = { readonly '@odata.etag': string; readonly [field: string]: unknown }

export const odata: DoorAdapter = {
  door: 'odata',
  async perform(service, { operation, params, target, command, expectedRevision }): Promise<Told> {
    const set = pascalCase(operation.on.plural)
    const entity = `/odata/${set}(${target})`
    const stale = expectedRevision === undefined ? undefined : await service.request('GET', entity)
    const tag = (stale?.body as Entity | undefined)?.['@odata.etag'] ?? '"1-0-AAAAAAAA"'
    const path = operation.to === 'nothing' ? `/odata/${set}` : `${entity}/Dealdesk.${pascalCase(operation.name)}`
    const { status, body } = await service.request('POST', path, {
      body: params,
      headers: {
        ...(command !== '' && { 'idempotency-key': command }),
        ...(expectedRevision !== undefined && { 'if-match': tag.replace(/^"\d+/, `"${expectedRevision}`) }),
      },
    })
    if (status === 204) return { thing: null }
    if (status < 300) return { thing: body }
    const { error } = body as unknown as {
      readonly error: { readonly innererror: { readonly [name: string]: unknown } }
    }
    return { problem: error.innererror }
  },
}

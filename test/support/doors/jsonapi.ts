import { jsonapi as door } from '../../../src/doors/jsonapi/jsonapi.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import { type DoorAdapter, type Shown, saidIn, type Told } from './adapter.ts'

/** A resource object, as the tests look at it. */
export interface ResourceObject {
  readonly type: string
  readonly id: string
  readonly attributes: { readonly [name: string]: unknown }
  readonly relationships?: { readonly [name: string]: { readonly data?: { readonly id: string } | null } }
}

export const jsonapi: DoorAdapter = {
  door: 'jsonapi',
  async perform(service, sample): Promise<Told> {
    const { operation, query = '', headers = {} } = sample
    const { on: resource } = operation
    const request = door.request({ ...sample, params: sample.params as Params })
    if (request === undefined) throw new Error('the door cannot ask for it')
    // A deletion has no parameters; whatever is sent with it is refused as an operation's would be.
    const rest = request.method === 'DELETE' ? { data: { attributes: sample.params } } : (request.body as object)
    const { status, text } = await service.request(request.method, request.path + query, {
      headers: { 'content-type': 'application/vnd.api+json', ...headers },
      body: { ...rest, meta: saidIn(sample) },
    })
    if (status === 204) return { thing: null }
    const { data, errors = [] } = JSON.parse(text) as {
      readonly data?: ResourceObject
      readonly errors?: readonly { readonly code: string; readonly detail: string }[]
    }
    if (data !== undefined) return { thing: thingIn(resource, data) }
    return { problem: { code: errors[0]?.code, detail: errors.map(({ detail }) => detail).join('; ') } }
  },
  async read(service, resource, id): Promise<Shown> {
    const { text } = await service.request('GET', `/jsonapi/${resource.plural}/${id}`)
    return thingIn(resource, JSON.parse(text).data)
  },
}

/** The fields of the thing that a resource object shows. */
function thingIn(resource: Resource, { id, attributes, relationships = {} }: ResourceObject): Record<string, unknown> {
  const keyIn = (kind: { readonly name: string } | undefined, text: string): unknown =>
    kind?.name === 'integer' ? Number(text) : text
  const references = resource.references.flatMap(({ name, field }) => {
    const linkage = relationships[name]?.data
    return linkage === undefined
      ? []
      : [[field, linkage === null ? null : keyIn(resource.kinds[field], linkage.id)] as const]
  })
  return { id: keyIn(resource.kinds.id, id), ...attributes, ...Object.fromEntries(references) }
}

import { mutationName } from '../../../src/doors/kit/declaring.ts'
import type { Resource } from '../../../src/model/schema.ts'
import { type DoorAdapter, type Shown, saidIn, type Told } from './adapter.ts'

export const graphql: DoorAdapter = {
  door: 'graphql',
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query: around = '', headers = {} } = sample
    const { on: resource } = operation
    const args = {
      ...(operation.to !== 'nothing' && { id: String(target) }),
      ...params,
      ...saidIn(sample),
    }
    const written = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    const name = mutationName(operation)
    const query = `mutation { ${name}(${written}) { ${resource.name} { ${resource.names.join(' ')} } } }`
    const { text } = await service.request('POST', `/graphql${around}`, { headers, body: { query } })
    const { data, errors } = JSON.parse(text) as {
      readonly data?: { readonly [mutation: string]: { readonly [resource: string]: Shown | null } | null }
      readonly errors?: readonly { readonly extensions: Shown }[]
    }
    if (errors?.[0] !== undefined) return { problem: errors[0].extensions }
    const thing = data?.[name]?.[resource.name] ?? null
    return { thing: thing && withKeys(resource, thing) }
  },
  async read(service, resource, id) {
    const query = `{ ${resource.name}(id: "${id}") { ${resource.names.join(' ')} } }`
    const { text } = await service.request('POST', '/graphql', { body: { query } })
    return withKeys(resource, JSON.parse(text).data[resource.name])
  },
}

/** Ids are texts in GraphQL; numbers are their own again. */
const withKeys = ({ kinds, names }: Resource, thing: Shown): Shown =>
  Object.fromEntries(
    names.map((name) => {
      const kind = kinds[name]
      const isKey = name === 'id' || kind?.refersTo !== undefined
      return [name, isKey && kind?.name === 'integer' && thing[name] !== null ? Number(thing[name]) : thing[name]]
    }),
  )

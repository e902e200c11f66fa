import { mutationName } from '../../../src/doors/kit/declaring.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import { isObject } from '../../../src/values/json/is-object.ts'
import { isOwn, ownName } from '../../../src/values/json/own.ts'
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
    const written = Object.entries(args).map(([name, value]) => `${name}: ${literal(value)}`)
    const name = mutationName(operation)
    const draft = operation.to === 'nothing' ? ` draft { ${selected(resource).replace(/^id /, '')} }` : ''
    const query = `mutation { ${name}(${written}) { ${resource.name} { ${selected(resource)} }${draft} } }`
    const { text } = await service.request('POST', `/graphql${around}`, { headers, body: { query } })
    const { data, errors } = JSON.parse(text) as {
      readonly data?: { readonly [mutation: string]: { readonly [resource: string]: Shown | null } | null }
      readonly errors?: readonly { readonly extensions: Shown }[]
    }
    if (errors?.[0] !== undefined) return { problem: errors[0].extensions }
    const { [resource.name]: whole, draft: tried } = data?.[name] ?? {}
    const thing = whole ?? (tried ? { id: null, ...tried } : null)
    return { thing: thing && withKeys(resource, thing) }
  },
  async read(service, resource, id) {
    const query = `{ ${resource.name}(id: "${id}") { ${selected(resource)} } }`
    const { text } = await service.request('POST', '/graphql', { body: { query } })
    return withKeys(resource, JSON.parse(text).data[resource.name])
  },
}

/** Values of added fields are in an object of their own. */
const literal = (value: unknown): string =>
  isObject(value)
    ? `{${Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`)}}`
    : JSON.stringify(value)

const selected = ({ names }: Resource): string => {
  const own = names.filter(isOwn).map(ownName)
  const plain = names.filter((name) => !isOwn(name))
  return [...plain, ...(own.length > 0 ? [`own { ${own.join(' ')} }`] : [])].join(' ')
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

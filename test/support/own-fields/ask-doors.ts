import assert from 'node:assert/strict'
import { functionName, mutationName } from '../../../src/doors/kit/declaring.ts'
import type { Operation, Resource } from '../../../src/model/declaration/schema.ts'
import type { AddedKind } from '../../../src/model/source/added-kinds.ts'
import { pascalCase } from '../../../src/values/letter-case.ts'
import type { Any } from './read-representations.ts'
import { ownSamples, shownOf } from './samples.ts'

/** Sends a request to the instance that is asked, and returns the answer as JSON, or its text. */
export type Asks = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Any>

interface OwnField {
  readonly kind: AddedKind
  readonly name: string
}

/** How the added fields of a resource are read, asked for, changed and described in a protocol. */
interface DoorUser {
  /** The values of the things that the filter `own.NAME = VALUE` leaves. */
  readonly find: (ask: Asks, resource: Resource, fields: readonly OwnField[], by: OwnField) => Promise<readonly Any[]>
  /** How it has the value of a kind, if not as JSON has it. */
  readonly as?: (kind: AddedKind) => unknown
  /** Sets values by an operation that takes them. */
  readonly change: (ask: Asks, operation: Operation, id: string | number, own: Any) => Promise<unknown>
  /** Changes and removes what the filter `own.NAME = VALUE` leaves of one thing; absent if writes have no filter. */
  readonly writeFound?: (ask: Asks, resource: Resource, id: string | number, by: OwnField, text: string) => Promise<Any>
  /** What its description of the resource says about each field; absent if the OpenAPI document describes it. */
  readonly describe?: (ask: Asks, resource: Resource) => Promise<ReadonlyMap<string, unknown>>
}

const jsonRpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

async function result(asked: Promise<Any>): Promise<Any> {
  const answer = await asked
  assert.equal(answer.error ?? answer.errors, undefined, JSON.stringify(answer))
  return answer.result ?? answer.data
}

const tool = async (ask: Asks, name: string, args: object): Promise<Any> => {
  const called = await result(
    ask('POST', '/mcp', jsonRpc('tools/call', { name, arguments: args }), {
      accept: 'application/json, text/event-stream',
    }),
  )
  assert.notEqual(called.isError, true, JSON.stringify(called))
  return called.structuredContent
}

/** What a filter in JSON compares with: a set has one value. */
const compared = (kind: AddedKind): unknown => (kind === 'choices' ? ownSamples[kind].text : shownOf(kind))

/** A literal of OData, by its kind. */
const literal = (kind: AddedKind): string => {
  const { text } = ownSamples[kind]
  const isPlain = ['integer', 'number', 'amount', 'boolean', 'date', 'instant', 'link'].includes(kind)
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`
}

/** In GraphQL an id is a text. */
const inGraphql = (kind: AddedKind): unknown => (kind === 'link' ? String(shownOf(kind)) : shownOf(kind))

const objectLiteral = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `{ ${Object.entries(value).map(([name, each]) => `${name}: ${objectLiteral(each)}`)} }`
    : JSON.stringify(value)

export const doorUsers: { readonly [door: string]: DoorUser } = {
  rpc: {
    async find(ask, { plural }, _fields, { kind, name }) {
      const params = { filter: { [`own.${name}`]: compared(kind) } }
      const { items } = await result(ask('POST', '/rpc', jsonRpc(`${plural}.list`, params)))
      return items.map(({ own }: Any) => own)
    },
    change: (ask, { on, name }, id, own) => result(ask('POST', '/rpc', jsonRpc(`${on.plural}.${name}`, { id, own }))),
  },
  jsonapi: {
    async find(ask, { plural }, _fields, { kind, name }) {
      const value = encodeURIComponent(ownSamples[kind].text)
      const { data } = await ask('GET', `/jsonapi/${plural}?filter[own.${name}]=${value}&fields[${plural}]=own`)
      return data.map(({ attributes }: Any) => attributes.own)
    },
    change: (ask, { on: { plural } }, id, own) =>
      ask(
        'PATCH',
        `/jsonapi/${plural}/${id}`,
        { data: { type: plural, id: String(id), attributes: { own } } },
        { 'content-type': 'application/vnd.api+json' },
      ),
  },
  odata: {
    async find(ask, { plural }, _fields, { kind, name }) {
      const filter = encodeURIComponent(`own/${name} eq ${literal(kind)}`)
      return (await ask('GET', `/odata/${pascalCase(plural)}?$filter=${filter}&$select=own`)).value.map(
        ({ own }: Any) => own,
      )
    },
    change: (ask, { on: { plural } }, id, own) =>
      ask('PATCH', `/odata/${pascalCase(plural)}(${id})`, { own }, { 'content-type': 'application/json' }),
    async describe(ask, resource) {
      const metadata: string = await ask('GET', '/odata/$metadata')
      const type = new RegExp(`<ComplexType Name="${pascalCase(resource.name)}Own"[^]*?</ComplexType>`).exec(metadata)
      const properties = (type?.[0] ?? '').matchAll(/<Property Name="(\w+)" Type="((?:Collection\()?Edm\.\w+)/g)
      return new Map([...properties].map(([, name = '', edm]) => [name, edm]))
    },
  },
  postgrest: {
    async find(ask, { plural }, fields, { kind, name }) {
      const value = encodeURIComponent(JSON.stringify(ownSamples[kind].text))
      const select = fields.map((each) => `own->${each.name}`)
      return await ask('GET', `/postgrest/${plural}?select=${select}&own->>${name}=in.(${value})`)
    },
    change: (ask, { on: { plural } }, id, own) =>
      ask(
        'PATCH',
        `/postgrest/${plural}?id=eq.${id}`,
        { own },
        { 'content-type': 'application/json', prefer: 'return=representation' },
      ),
    async writeFound(ask, { plural }, id, { name }, text) {
      const value = encodeURIComponent(JSON.stringify(text))
      const path = `/postgrest/${plural}?id=eq.${id}&own->>${name}=in.(${value})`
      const headers = { 'content-type': 'application/json', prefer: 'return=representation' }
      const changed = await ask('PATCH', path, { reference: `by ${name}` }, headers)
      return [...changed, ...(await ask('DELETE', path, undefined, headers))]
    },
    async describe(ask, { plural }) {
      const { components } = await ask('GET', '/postgrest')
      return new Map(Object.entries(components.schemas[plural].properties.own.properties))
    },
  },
  graphql: {
    async find(ask, { plural }, fields, { kind, name }) {
      const value = JSON.stringify(kind === 'link' ? ownSamples[kind].text : compared(kind))
      const own = fields.map((each) => each.name).join(' ')
      const query = `{ ${plural}(where: { own: { ${name}: { eq: ${value} } } }) { nodes { own { ${own} } } } }`
      const found = await result(ask('POST', '/graphql', { query }))
      return found[plural].nodes.map(({ own }: Any) => own)
    },
    as: inGraphql,
    change: (ask, operation, id, own) => {
      const query = `mutation { ${mutationName(operation)}(id: "${id}", own: ${objectLiteral(own)}) { replayed } }`
      return result(ask('POST', '/graphql', { query }))
    },
    async describe(ask, resource) {
      const query = `{ __type(name: "${pascalCase(resource.name)}Own") { fields { name type { kind name ofType { name } } } } }`
      const { __type: type } = await result(ask('POST', '/graphql', { query }))
      return new Map(type.fields.map((each: Any) => [each.name, each.type]))
    },
  },
  mcp: {
    async find(ask, { plural }, _fields, { kind, name }) {
      const { items } = await tool(ask, `list_${plural}`, { filter: { [`own.${name}`]: compared(kind) } })
      return items.map(({ own }: Any) => own)
    },
    change: (ask, operation, id, own) => tool(ask, functionName(operation), { id, own }),
    async describe(ask, { name: on }) {
      const { items } = await tool(ask, 'describe_fields', { on })
      return new Map(items.map((each: Any) => [each.name, each.kind]))
    },
  },
}

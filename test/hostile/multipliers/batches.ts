import { batchBounds, bodyBounds } from '../../../src/values/bounds.ts'
import { type Multiplier, post, times } from './multiplier.ts'

// Many requests in one.

const JSON_API = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
const { commands, requests, together } = batchBounds
const create = '{"action":"CreateDeal","params":{"name":"n","price":1}}'
const hold = (id: string | undefined): string => `{"action":"HoldDeal","deal":"${id}","params":{"reason":"r"}}`
const list = (count: number, each: string | ((n: number) => string)): string => `[${times(count, each, ',')}]`
const call = (method: string, params: string) => (n: number) =>
  `{"jsonrpc":"2.0","id":${n},"method":"${method}","params":${params}}`
const part = (n: number, rest: string): string => `{"id":"${n}",${rest}}`
const stream = (content: string) => post('/rest/commands', content, 'application/x-ndjson')

export const batches: readonly Multiplier[] = [
  {
    name: 'a batch that creates',
    bound: commands,
    far: 17_000,
    of: (n) => post('/rest/v1/batch', `{"commands":${list(n, create)}}`),
  },
  {
    name: 'a batch about one thing',
    bound: commands,
    far: 10_000,
    of: (n, { deals: [id] }) => post('/rest/v1/batch', `{"commands":${list(n, hold(id))}}`),
  },
  {
    name: 'a batch whose commands lead to each other',
    bound: commands,
    far: 10_000,
    of: (n) => post('/rest/v1/batch', `{"commands":${list(n, (at) => (at === 0 ? create : hold(`$${at - 1}`)))}}`),
  },
  {
    name: 'a batch of nothing',
    bound: commands,
    far: 300_000,
    of: (n) => post('/rest/v1/batch', `{"commands":${list(n, '{}')}}`),
  },
  {
    name: 'a batch with many faults each',
    bound: 10,
    far: 100,
    of: (n) =>
      post(
        '/rest/v1/batch',
        `{"commands":${list(n, `{"action":"CreateDeal","params":{${times(900, (at) => `"nam${at}":1`, ',')}}}`)}}`,
      ),
  },
  { name: 'a stream that creates', bound: together, far: 17_000, of: (n) => stream(times(n, `${create}\n`)) },
  {
    name: 'a stream about one thing',
    bound: commands,
    far: 10_000,
    of: (n, { deals: [id] }) => stream(times(n, `${hold(id)}\n`)),
  },
  { name: 'a stream of nothing', bound: commands, far: 330_000, of: (n) => stream(times(n, '{}\n')) },
  { name: 'a stream of blank lines', bound: 100, far: 1_000_000, of: (n) => stream(times(n, '\n')) },
  { name: 'a stream of broken lines', bound: commands, far: 500_000, of: (n) => stream(times(n, '[\n')) },
  {
    name: 'a long line of a stream',
    bound: bodyBounds.bytes,
    far: bodyBounds.bytes + 1,
    of: (n) => stream('x'.repeat(n)),
  },
  {
    name: 'a stream tried in a dry run',
    bound: commands,
    far: 17_000,
    of: (n) => ({ ...stream(times(n, `${create}\n`)), path: '/rest/commands?dry-run=true' }),
  },
  {
    name: 'operations of JSON:API',
    bound: commands,
    far: 10_000,
    of: (n) =>
      post(
        '/jsonapi/operations',
        `{"atomic:operations":${list(n, '{"op":"add","data":{"type":"deals","attributes":{"name":"n","price":1}}}')}}`,
        JSON_API,
      ),
  },
  {
    name: 'operations of JSON:API on one thing',
    bound: commands,
    far: 10_000,
    of: (n, { deals: [id] }) =>
      post(
        '/jsonapi/operations',
        `{"atomic:operations":${list(n, (at) => `{"op":"update","data":{"type":"deals","id":"${id}","attributes":{"name":"${at}"}}}`)}}`,
        JSON_API,
      ),
  },
  {
    name: 'reads in a batch of OData',
    bound: commands,
    far: 10_000,
    of: (n) =>
      post(
        '/odata/$batch',
        `{"requests":${list(n, (at) => part(at, '"method":"GET","url":"Deals?$top=1000&$expand=customer"'))}}`,
      ),
  },
  {
    name: 'writes in a group of OData',
    bound: commands,
    far: 10_000,
    of: (n) =>
      post(
        '/odata/$batch',
        `{"requests":${list(n, (at) => part(at, '"atomicityGroup":"g","method":"POST","url":"Deals","body":{"name":"n","price":1}'))}}`,
      ),
  },
  {
    name: 'what a request of OData depends on',
    bound: commands,
    far: 100_000,
    of: (n) =>
      post(
        '/odata/$batch',
        `{"requests":[{"id":"1","method":"GET","url":"Deals"},{"id":"2","method":"GET","url":"Deals","dependsOn":${list(n, '"1"')}}]}`,
      ),
  },
  {
    name: 'headers of requests of OData',
    bound: 1,
    far: 80,
    of: (n) =>
      post(
        '/odata/$batch',
        `{"requests":${list(n, (at) => part(at, `"method":"GET","url":"Deals","headers":{${times(bodyBounds.members, (h) => `"h${h}":""`, ',')}}`))}}`,
      ),
  },
  {
    name: 'a batch of JSON-RPC that reads',
    bound: requests,
    far: 10_000,
    of: (n) => post('/rpc', list(n, call('deals.list', '{"limit":1000}'))),
  },
  {
    name: 'a batch of JSON-RPC that reads one thing',
    bound: requests,
    far: 10_000,
    of: (n, { deals: [id] }) => post('/rpc', list(n, call('deals.get', `{"id":"${id}"}`))),
  },
  {
    name: 'a batch of JSON-RPC that creates',
    bound: requests,
    far: 10_000,
    of: (n) => post('/rpc', list(n, call('deals.create', '{"name":"n","price":1}'))),
  },
  { name: 'a batch of JSON-RPC of nothing', bound: requests, far: 500_000, of: (n) => post('/rpc', list(n, '1')) },
  { name: 'a batch of MCP', bound: requests, far: 20_000, of: (n) => post('/mcp', list(n, call('tools/list', '{}'))) },
  {
    name: 'rows of PostgREST',
    bound: commands,
    far: 40_000,
    of: (n) => post('/postgrest/deals', list(n, '{"name":"n","price":1}')),
  },
  {
    name: 'rows of PostgREST that merge into one',
    bound: commands,
    far: 20_000,
    of: (n) => ({
      ...post('/postgrest/deals?on_conflict=reference', list(n, '{"name":"n","price":1,"reference":"R1"}')),
      headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
    }),
  },
  {
    name: 'columns of PostgREST',
    bound: bodyBounds.members,
    far: 3000,
    of: (n) => post(`/postgrest/deals?columns=${times(Math.min(n, 1500), (at) => `c${at}`, ',')}`, '[{}]'),
  },
  {
    name: 'rows of PostgREST in CSV',
    bound: commands,
    far: 120_000,
    of: (n) => post('/postgrest/deals', `name,price\n${times(n, 'n,1\n')}`, 'text/csv'),
  },
]

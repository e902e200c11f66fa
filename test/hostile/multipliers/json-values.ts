import type { Random } from '../../../src/demo/random.ts'
import { pick } from '../../../src/demo/random.ts'
import { bodyBounds, queryBounds } from '../../../src/values/bounds.ts'
import { type Hostile, type Known, type Multiplier, post, times } from './multiplier.ts'

// A value of JSON that multiplies, at each place where one is read.

interface Shape {
  readonly name: string
  readonly bound: number
  readonly far: number
  readonly value: (count: number) => string
}

const { depth, members, bytes } = bodyBounds

const shapes: readonly Shape[] = [
  { name: 'lists in lists', bound: depth, far: 500_000, value: (n) => `${'['.repeat(n)}${']'.repeat(n)}` },
  { name: 'objects in objects', bound: depth, far: 160_000, value: (n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}` },
  { name: 'open lists', bound: depth, far: 1_000_000, value: (n) => '['.repeat(n) },
  { name: 'members', bound: members, far: 100_000, value: (n) => `{${times(n, (at) => `"m${at}":1`, ',')}}` },
  { name: 'empty names', bound: members, far: 200_000, value: (n) => `{${times(n, '"":1', ',')}}` },
  {
    name: 'objects of many members',
    bound: 2,
    far: 150,
    value: (n) => `[${times(n, () => `{${times(members, (at) => `"${at}":1`, ',')}}`, ',')}]`,
  },
  {
    name: 'long names of members',
    bound: 200,
    far: 2000,
    value: (n) => `{${times(n, (at) => `"${'owner'.repeat(90)}${at}":1`, ',')}}`,
  },
  { name: 'a long name', bound: 200, far: 1_000_000, value: (n) => `{"${'n'.repeat(n)}":1}` },
  { name: 'digits', bound: 17, far: 1_000_000, value: (n) => '9'.repeat(n) },
  { name: 'decimals', bound: 17, far: 1_000_000, value: (n) => `0.${'0'.repeat(n)}1` },
  { name: 'zeros behind decimals', bound: 17, far: 1_000_000, value: (n) => `1.5${'0'.repeat(n)}` },
  { name: 'digits of an exponent', bound: 3, far: 900_000, value: (n) => `1e${'9'.repeat(n)}` },
  { name: 'an exponent', bound: 308, far: 999_999_999, value: (n) => `1e${n}` },
  { name: 'an exponent below', bound: 324, far: 999_999_999, value: (n) => `1e-${n}` },
  { name: 'many long numbers', bound: 1000, far: 45_000, value: (n) => `[${times(n, '1.2345678901234567890', ',')}]` },
  {
    name: 'numbers, one of them long',
    bound: 1000,
    far: 490_000,
    value: (n) => `[1.23456789012345678${times(n, ',1')}]`,
  },
  {
    name: 'objects, one number long',
    bound: 1000,
    far: 160_000,
    value: (n) => `[1.23456789012345678${times(n, ',{"a":1}')}]`,
  },
  { name: 'a list of texts', bound: 50, far: 300_000, value: (n) => `[${times(n, '"a"', ',')}]` },
  { name: 'a list of empty lists', bound: 50, far: 330_000, value: (n) => `[${times(n, '[]', ',')}]` },
  { name: 'a list of empty objects', bound: 50, far: 330_000, value: (n) => `[${times(n, '{}', ',')}]` },
  { name: 'a text', bound: 10_000, far: bytes, value: (n) => `"${'x'.repeat(n)}"` },
  { name: 'a text that grows when it is folded', bound: 200, far: 330_000, value: (n) => `"${'ﷺ'.repeat(n)}"` },
  { name: 'a text that grows in capitals', bound: 200, far: 330_000, value: (n) => `"${'ΐ'.repeat(n)}"` },
  { name: 'marks on a letter', bound: 200, far: 500_000, value: (n) => `"a${'\u0316\u0301'.repeat(n / 2)}"` },
  { name: 'escaped characters', bound: 200, far: 170_000, value: (n) => `"${'\\u0041'.repeat(n)}"` },
  { name: 'lone surrogates', bound: 200, far: 170_000, value: (n) => `"${'\\ud800'.repeat(n)}"` },
  { name: 'escaped quotes', bound: 200, far: 500_000, value: (n) => `"${'\\"'.repeat(n)}"` },
  { name: 'backslashes', bound: 200, far: 500_000, value: (n) => `"${'\\\\'.repeat(n)}"` },
  { name: 'an open text of backslashes', bound: 200, far: 1_000_000, value: (n) => `"${'\\'.repeat(n)}` },
  { name: 'white space', bound: bytes - 100, far: bytes + 1, value: (n) => `${' '.repeat(Math.max(0, n - 4))}null` },
  { name: 'line breaks of a text', bound: 200, far: 500_000, value: (n) => `"${'\\n'.repeat(n)}"` },
  {
    name: 'conditions beside each other',
    bound: queryBounds.terms,
    far: 60_000,
    value: (n) => `{"or":[${times(n, (at) => `{"price":${at}}`, ',')}]}`,
  },
  {
    name: 'conditions within each other',
    bound: queryBounds.depth,
    far: 100_000,
    value: (n) => `${'{"not":'.repeat(n)}{"price":1}${'}'.repeat(n)}`,
  },
  {
    name: 'values of a condition',
    bound: queryBounds.values,
    far: 140_000,
    value: (n) => `{"price":{"in":[${times(n, (at) => String(at), ',')}]}}`,
  },
]

type Place = (value: string, known: Known) => Hostile

const rpc = (method: string, params: string): Hostile =>
  post('/rpc', `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)
const tool = (name: string, args: string): Hostile => ({
  ...post('/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`),
})
const jsonApi = (attributes: string): string => `{"data":{"type":"deals","attributes":${attributes}}}`
const JSON_API = 'application/vnd.api+json'

const places: readonly Place[] = [
  (value) => post('/rest/v1/deals', value),
  (value) => post('/rest/v1/deals', `{"price":1,"name":${value}}`),
  (value) => post('/rest/v1/deals', `{"name":"n","price":${value}}`),
  (value) => post('/rest/v1/deals', `{"name":"n","price":1,"description":${value}}`),
  (value) => post('/rest/v1/deals', `{"name":"n","price":1,"own":${value}}`),
  (value) => post('/rest/v1/deals', `{"name":"n","price":1,"own":{"note":${value},"tags":${value}}}`),
  (value, { deals: [id] }) => ({
    ...post(`/rest/v1/deals/${id}`, `{"name":${value}}`, 'application/merge-patch+json'),
    method: 'PATCH',
  }),
  (value, { deals: [id] }) => ({ ...post(`/rest/v1/deals/${id}/hold`, `{"reason":${value}}`), method: 'PUT' }),
  (value) => ({ ...post('/rest/v1/deals', `{"filter":${value}}`), method: 'QUERY' }),
  (value) => ({ ...post('/rest/v1/deals', `{"sort":${value},"fields":${value}}`), method: 'QUERY' }),
  (value) => ({ ...post('/rest/v1/deals', value), method: 'QUERY' }),
  (value) => post('/rest/commands', `{"action":"CreateDeal","params":${value}}`),
  (value) => post('/rest/commands', `{"action":${value},"params":{}}`),
  (value) => post('/rest/v1/batch', `{"commands":${value}}`),
  (value) => post('/rest/v1/batch', `{"commands":[{"action":"CreateDeal","params":${value}}]}`),
  (value) => post('/rest/commands', `{"action":"CreateDeal","params":${value}}\n`, 'application/x-ndjson'),
  (value) => post('/customers', `{"name":"n","age":${value},"email":${value}}`),
  (value) => post('/tasks', `{"title":"t","note":${value}}`),
  (value) => post('/views', `{"name":"v","query":${value}}`),
  (value) => post('/graphql', `{"query":"query($f:Int){deals(first:$f){nodes{id}}}","variables":${value}}`),
  (value) => post('/graphql', `{"query":"query($f:Int){deals(first:$f){nodes{id}}}","variables":{"f":${value}}}`),
  (value) => post('/graphql', `{"query":${value}}`),
  (value) => post('/jsonapi/deals', jsonApi(value), JSON_API),
  (value) => post('/jsonapi/deals', jsonApi(`{"name":${value}}`), JSON_API),
  (value) => post('/jsonapi/deals', `{"data":{"type":"deals","attributes":{},"relationships":${value}}}`, JSON_API),
  (value) =>
    post('/jsonapi/operations', `{"atomic:operations":${value}}`, `${JSON_API}; ext="https://jsonapi.org/ext/atomic"`),
  (value) => post('/odata/Deals', value),
  (value) => post('/odata/Deals', `{"name":"n","price":1,"own":${value}}`),
  (value) => post('/odata/$batch', `{"requests":${value}}`),
  (value) =>
    post('/odata/$batch', `{"requests":[{"id":"1","method":"POST","url":"Deals","headers":${value},"body":${value}}]}`),
  (value) => post('/postgrest/deals', value),
  (value) => post('/postgrest/deals', `[{"name":"n","price":${value}}]`),
  (value, { deals: [id] }) => post('/postgrest/rpc/hold_deal', `{"id":"${id}","reason":${value}}`),
  (value) => rpc('deals.create', value),
  (value) => rpc('deals.list', `{"filter":${value}}`),
  (value) => post('/rpc', `{"jsonrpc":"2.0","method":"deals.get","params":{},"id":${value}}`),
  (value) => post('/rpc', value),
  (value) => tool('create_deal', value),
  (value) => tool('list_deals', `{"filter":${value}}`),
  (value) => post('/mcp', value),
]

/** Each shape at a place that is drawn. */
export const jsonValues: readonly Multiplier[] = shapes.map(({ name, bound, far, value }) => ({
  name: `JSON: ${name}`,
  bound,
  far,
  of: (count: number, known: Known, random: Random) => pick(places, random)(value(count), known),
}))

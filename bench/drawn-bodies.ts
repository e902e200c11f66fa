import { pick, type Random } from '../src/demo/random.ts'

/** A request that may be dear, and what it is called in the report. */
export interface DrawnRequest {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export const JSON_TYPE = { 'content-type': 'application/json' }

export const post = (
  what: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = JSON_TYPE,
): DrawnRequest => ({
  ...{ what, method: 'POST', path, headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const MEGABYTE = 2 ** 20
const object = (count: number, name: (nth: number) => string): string =>
  `{${Array.from({ length: count }, (_, nth) => `"${name(nth)}":1`).join()}}`

/** Bodies that are long without saying much. Nothing is written. */
export const aBody = (random: Random): DrawnRequest => {
  const many = 80_000
  return pick<() => DrawnRequest>(
    [
      () =>
        post(
          'body: unknown members',
          '/rest/v1/deals/?dry-run=true',
          object(many, (n) => `m${n}`),
        ),
      () =>
        post(
          'body: long names',
          '/rest/v1/deals/?dry-run=true',
          object(4000, (n) => 'x'.repeat(240) + n),
        ),
      () => post('body: nested', '/rest/v1/deals/?dry-run=true', '['.repeat(MEGABYTE / 2)),
      () =>
        post('body: members of rpc', '/rpc', {
          jsonrpc: '2.0',
          id: 1,
          method: 'deals.list',
          params: JSON.parse(object(many, (n) => `m${n}`)),
        }),
      () =>
        post('body: filters', '/rpc', {
          jsonrpc: '2.0',
          id: 1,
          method: 'deals.list',
          params: { filter: { or: Array.from({ length: 30_000 }, () => ({ name: 'x' })) } },
        }),
      () =>
        post('body: batch', '/rest/v1/batch?dry-run=true', {
          atomic: false,
          commands: Array.from({ length: 1000 }, () => ({
            action: 'CreateDeal',
            params: { name: 'x'.repeat(200), price: 1, description: '"'.repeat(700) },
          })),
        }),
      () =>
        post('body: blank lines', '/rest/commands?dry-run=true', '\n'.repeat(8 * MEGABYTE), {
          'content-type': 'application/x-ndjson',
        }),
      () =>
        post('body: bad lines', '/rest/commands?dry-run=true', 'x\n'.repeat(400_000), {
          'content-type': 'application/x-ndjson',
        }),
      () => post('body: graphql tokens', '/graphql', { query: `{ deals { nodes { ${'id '.repeat(9000)} } } }` }),
      () => post('body: graphql text', '/graphql', { query: `{ search(q: "${'x'.repeat(99_000)}") { id } }` }),
      () =>
        post(
          'body: jsonapi operations',
          '/jsonapi/operations',
          { 'atomic:operations': Array.from({ length: 1000 }, () => ({ op: 'x', data: { a: 1 } })) },
          { 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
        ),
      () =>
        post('body: form', '/rest/v1/deals/?dry-run=true', 'a=1&'.repeat(250_000), {
          'content-type': 'application/x-www-form-urlencoded',
        }),
      () =>
        post(
          'body: creations by rpc',
          '/rpc',
          Array.from({ length: 1000 }, (_, id) => ({
            jsonrpc: '2.0',
            id,
            method: 'deals.create',
            params: { name: 'x', price: 1, description: 'y'.repeat(900), dryRun: true },
          })),
        ),
    ],
    random,
  )()
}

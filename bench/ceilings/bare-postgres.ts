import { randomFillSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { uuidV7 } from '../../src/values/kinds/uuid.ts'
import { readQuery } from './bare-customers.ts'
import { type BareWrite, batchedWrites, pipelinedWrites } from './bare-postgres-writes.ts'
import { dealLinks } from './deal-links.ts'
import { serve } from './serve.ts'

// The least that does the same on PostgreSQL: plain node:http and plain pg, on the service's own data and with as
// many connections as it reads with. No negotiation, no validators, no checks of what is sent.

const DEALS = '/rest/v1/deals/'
const CONNECTIONS = 4

const clients = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const client = new pg.Client({
      connectionString: process.env.DATABASE_URL ?? '',
      pipeline: true,
      options: '-c plan_cache_mode=force_generic_plan',
    })
    await client.connect()
    return client
  }),
)
let turn = 0

async function rows(name: string, text: string, values: readonly unknown[]): Promise<readonly (readonly unknown[])[]> {
  const client = clients[turn++ % CONNECTIONS]
  return (await client?.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' }))?.rows ?? []
}

async function readDeal(id: string, response: ServerResponse): Promise<void> {
  const [row] = await rows('deal', 'SELECT doc FROM deals WHERE id = $1', [id])
  const json = String(row?.[0] ?? '{}')
  send(response, row === undefined ? 404 : 200, `${json.slice(0, -1)},${dealLinks(id)}}`)
}

const ALL = 'SELECT doc, id FROM customers WHERE id > $1 ORDER BY id LIMIT $2 OFFSET $3'
const FILTERED = ALL.replace('ORDER', 'AND age BETWEEN $4 AND $5 AND children >= $6 ORDER')

async function readPage(query: string, response: ServerResponse): Promise<void> {
  const { after, page, size, minAge, maxAge, minChildren } = readQuery(query)
  const place = [after, size + 1, (page - 1) * size]
  const found = await (minAge === -1 && minChildren === -1
    ? rows('all', ALL, place)
    : rows('filtered', FILTERED, [...place, minAge, maxAge, minChildren]))
  const shown = found.slice(0, size)
  const more = found.length > size
  const rest = query.replace(/&?(page|after)=\d+/, '')
  const next = more ? `,"next":"/customers?${rest}&after=${shown.at(-1)?.[1]}"` : ''
  const items = shown.map(([json]) => json).join()
  send(
    response,
    200,
    `{"items":[${items}],"pageSize":${size},"hasMore":${more},"links":{"self":"/customers?${query}","first":"/customers?${rest}"${next}}}`,
  )
}

const writeDeal = process.env.BATCHED === undefined ? pipelinedWrites(clients) : batchedWrites(clients)
const random = new Uint8Array(10)

async function write(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.setEncoding('utf8')
  let text = ''
  for await (const part of request) text += part
  const { method, url = '' } = request
  const [id = '', operation = ''] = url.slice(DEALS.length).split('/')
  const made: BareWrite =
    method === 'POST'
      ? { id: uuidV7(Date.now(), randomFillSync(random)), operation: 'create', sent: JSON.parse(text), text }
      : { id, operation: operation as BareWrite['operation'], sent: JSON.parse(text), text }
  const json = await writeDeal(made)
  if (json === undefined) return send(response, 409, '{}')
  send(response, method === 'POST' ? 201 : 200, `${json.slice(0, -1)},${dealLinks(made.id)}}`)
}

function send(response: ServerResponse, status: number, body: string): void {
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, head).end(body)
}

const server = createServer((request, response) => {
  const { method, url = '' } = request
  if (method !== 'GET') return void write(request, response).catch(() => send(response, 503, '{}'))
  const answered = url.startsWith(DEALS)
    ? readDeal(url.slice(DEALS.length), response)
    : readPage(url.slice('/customers?'.length), response)
  answered.catch(() => send(response, 503, '{}'))
})
serve(server)

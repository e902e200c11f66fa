import { randomFillSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { uuidV7 } from '../../src/values/kinds/uuid.ts'
import { customerPages } from './bare-customers.ts'
import { openBareDeals } from './bare-deals.ts'
import { dealLinks } from './deal-links.ts'
import { exportCustomers } from './export-customers.ts'
import { serve } from './serve.ts'
import { turnCommits } from './turn-commits.ts'

// The least that does the same work: plain node:http, plain node:sqlite on the service's own data. SQLite builds the
// JSON, and one COMMIT with its sync answers all writes of one turn of the event loop. No negotiation, no validators,
// no checks of what is sent.

const DEALS = '/rest/v1/deals'
const database = process.env.DATABASE_URL ?? ''
const deals = openBareDeals(database)
const customers = customerPages(database)

const server = createServer((request, response) => {
  const { method, url = '' } = request
  if (method === 'GET') {
    if (url.startsWith(`${DEALS}/`)) return readDeal(url.slice(DEALS.length + 1), response)
    if (url.startsWith('/customers.ndjson')) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      return exportCustomers(customers, response)
    }
    return send(response, 200, customers.page(url.slice('/customers?'.length)))
  }
  readBody(request, (text) => {
    if (method === 'POST') return create(text, response)
    const end = url.indexOf('/', DEALS.length + 1)
    operate(url.slice(DEALS.length + 1, end), url.slice(end + 1), text, response)
  })
})

function readDeal(id: string, response: ServerResponse): void {
  const json = deals.read(id)
  if (json === undefined) return send(response, 404, '{}')
  send(response, 200, withLinks(json, id))
}

function create(text: string, response: ServerResponse): void {
  const now = new Date()
  const id = uuidV7(now.getTime(), randomFillSync(random))
  written(response, 201, id, deals.create(id, JSON.parse(text), text, now.toISOString()))
}

const random = new Uint8Array(10)

function operate(id: string, operation: string, text: string, response: ServerResponse): void {
  const json = deals.operate(id, operation, JSON.parse(text), text, new Date().toISOString())
  if (json === undefined) return send(response, 409, '{}')
  written(response, 200, id, json)
}

const whenDurable = turnCommits(() => deals.commit())

function written(response: ServerResponse, status: number, id: string, json: string): void {
  whenDurable(() => send(response, status, withLinks(json, id)))
}

const withLinks = (json: string, id: string): string => `${json.slice(0, -1)},${dealLinks(id)}}`

function readBody(request: IncomingMessage, done: (text: string) => void): void {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => {
    text += part
  })
  request.on('end', () => done(text))
}

function send(response: ServerResponse, status: number, body: string): void {
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, head).end(body)
}

serve(server)

import { randomFillSync } from 'node:crypto'
import { createServer } from 'node:http'
import express, { type Response } from 'express'
import { uuidV7 } from '../../src/values/kinds/uuid.ts'
import { customerPages } from './bare-customers.ts'
import { openBareDeals } from './bare-deals.ts'
import { dealLinks } from './deal-links.ts'
import { exportCustomers } from './export-customers.ts'
import { serve } from './serve.ts'
import { eachCommits, turnCommits } from './turn-commits.ts'

// What one would write by hand with Express: its router, its body parser, its validators of content, a check of what is
// sent. Below that the same statements as the bare ceiling, and its commit for all writes of a turn, or one for each
// write.

const database = process.env.DATABASE_URL ?? ''
const deals = openBareDeals(database)
const customers = customerPages(database)

const app = express()
app.disable('x-powered-by')
app.use(express.json({ limit: '100kb' }))

app.get('/rest/v1/deals/:id', ({ params: { id } }, response) => {
  const json = deals.read(id)
  if (json === undefined) return void response.status(404).json({ title: 'There is no such deal' })
  response.type('json').send(withLinks(json, id))
})

app.get('/customers', ({ originalUrl }, response) => {
  const query = originalUrl.indexOf('?')
  response.type('json').send(customers.page(query === -1 ? '' : originalUrl.slice(query + 1)))
})

app.get('/customers.ndjson', (_request, response) => {
  exportCustomers(customers, response.type('application/x-ndjson'))
})

app.post('/rest/v1/deals', ({ body }, response) => {
  const errors = dealFaults(body)
  if (errors.length > 0) return void response.status(422).json({ title: 'The body is not right', errors })
  const now = new Date()
  const id = uuidV7(now.getTime(), randomFillSync(random))
  written(response, 201, id, deals.create(id, body, JSON.stringify(body), now.toISOString()))
})

app.put('/rest/v1/deals/:id/:operation', ({ body, params: { id, operation } }, response) => {
  const json = deals.operate(id, operation, body, JSON.stringify(body), new Date().toISOString())
  if (json === undefined) return void response.status(409).json({ title: 'Not allowed now' })
  written(response, 200, id, json)
})

const random = new Uint8Array(10)
const texts = ['name', 'owner', 'stage', 'completionDate']

function dealFaults(sent: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...(typeof sent.name === 'string' && sent.name !== '' ? [] : ['name is required']),
    ...(typeof sent.price === 'number' && sent.price >= 0 ? [] : ['price must be an amount']),
    ...(sent.customerId === undefined || Number.isInteger(sent.customerId) ? [] : ['customerId must be a number']),
    ...texts
      .filter((name) => sent[name] !== undefined && typeof sent[name] !== 'string')
      .map((name) => `${name} must be a text`),
  ]
}

const commit = (): void => deals.commit()
const whenDurable = process.env.COMMITS === 'each' ? eachCommits(commit) : turnCommits(commit)

function written(response: Response, status: number, id: string, json: string): void {
  whenDurable(() => response.status(status).type('json').send(withLinks(json, id)))
}

const withLinks = (json: string, id: string): string => `${json.slice(0, -1)},${dealLinks(id)}}`

serve(createServer(app))

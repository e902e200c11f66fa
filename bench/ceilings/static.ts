import { createServer } from 'node:http'
import { randomFrom } from '../../src/demo/random.ts'
import { customer } from '../../src/model/nouns/customer/customer.ts'
import { deal } from '../../src/model/nouns/deal/deal.ts'
import { sampleCustomer, sampleDeal } from '../sample.ts'
import { dealLinks } from './deal-links.ts'
import { serve } from './serve.ts'

// What Node's HTTP costs alone: answers of the usual size that are ready before they are asked for.

const random = randomFrom(7)
const { deal: sample } = sampleDeal(1, 1000, random)
const dealBody = Buffer.from(`${deal.toJson(sample).slice(0, -1)},${dealLinks(sample.id)}}`)
const items = Array.from({ length: 100 }, (_, nth) => customer.toJson(sampleCustomer(nth + 1, random)))
const pageOf = (size: number): Buffer => Buffer.from(`{"items":[${items.slice(0, size)}],"links":{}}`)
const page = pageOf(50)
const largePage = pageOf(100)

const server = createServer(({ method, url = '' }, response) => {
  const body = !url.startsWith('/customers') ? dealBody : url.includes('maxpagesize=100') ? largePage : page
  const head = { 'content-type': 'application/json', 'content-length': body.length }
  response.writeHead(method === 'POST' ? 201 : 200, head).end(body)
})

serve(server)

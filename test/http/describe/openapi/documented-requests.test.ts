import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Params } from '../../../../src/model/declaration/operation.ts'
import type { Resource } from '../../../../src/model/declaration/schema.ts'
import { roles } from '../../../../src/values/role.ts'
import { firstDelivery } from '../../../support/browser/sights.ts'
import { seedOf } from '../../../support/inputs/draw.ts'
import { fc } from '../../../support/inputs/fast-check.ts'
import { type MadeRequest, type OpenApiDocument, requestsFor } from '../../../support/openapi/documented-requests.ts'
import type { Known } from '../../../support/openapi/from-schema.ts'
import { customer, deal, resources } from '../../../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../../../support/service/closed-service.ts'
import { DEALS } from '../../../support/service/making-deals.ts'
import { addPeople } from '../../../support/things/people.ts'

// Requests made of /openapi.json alone, to every operation it has: each answer must be one that it describes.
// Every second operation is asked, the others after another change. GENERATED_SEED makes the same again; `npm run test:long --
// generated` makes many more of each.

const SEED = seedOf('GENERATED_SEED')
const EACH = Number(process.env.GENERATED_EACH ?? 1)
const isAsked = (nth: number): boolean => EACH > 1 || (nth + SEED) % 2 === 0

let service: ClosedService
/** Each has a delivery; a request may remove one of them. */
const webhooks: string[] = []

before(async () => {
  service = await runClosedService()
  // Those of examples.
  await addPeople(service.store, 'mila', 'Mila Sanz')
  for (let n = 0; n < 5; n++) {
    webhooks.push(await make('/webhooks', { url: 'https://example.com/hook', types: ['deal.note-added'] }))
  }
  const deal = await make(`${DEALS}/`, { name: 'Roof', price: 100 })
  await make(`${DEALS}/${deal}/notes`, { text: 'x' })
  for (const id of webhooks) await firstDelivery({ ...service, request: asAdmin }, `/webhooks/${id}`)
})
after(() => service.close())

test(`every answer to generated requests, ${EACH} of each operation, is one that the document describes`, async (t) => {
  t.diagnostic(`GENERATED_SEED=${SEED}`)
  const document = (await service.request('GET', '/openapi.json')).body as unknown as OpenApiDocument
  const undescribed: string[] = []
  const statuses = new Map<number, number>()
  let at = 0
  let operations = 0
  let known: Known | undefined
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      if (!isAsked(operations++)) continue
      known ??= await knownThings()
      const requests = requestsFor(document, path, method, known)
      for (const request of fc.sample(requests, { numRuns: EACH, seed: SEED + at++ })) {
        const outcome = await send(request)
        if (typeof outcome === 'string') undescribed.push(outcome)
        else statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
        // What was written may have deleted a thing; what was refused has not.
        if (!isRead(method) && !(Number(outcome) >= 400)) known = undefined
      }
    }
  }
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map((each) => each.join(' × '))
  t.diagnostic(`${at * EACH} requests: ${counts.join(', ')}`)
  const shown = [...new Set(undescribed)].slice(0, 40).join('\n')
  assert.equal(undescribed.length, 0, `GENERATED_SEED=${SEED}, ${undescribed.length} of them:\n${shown}`)
  const well = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0)
  // Settings and parts of a QUERY that are made at random seldom go together, and many addresses are of things that were never made.
  const queries = Object.values(document.paths).filter((methods) => 'x-query' in methods).length
  assert.ok(well > ((at - Math.min(queries, at / 2)) * EACH) / 8, 'hardly a request got through')
})

const isRead = (method: string): boolean => method === 'get' || method === 'x-query'

/** The status, or what the document does not say of the exchange. */
async function send({ method, path, headers, body }: MadeRequest): Promise<number | string> {
  const role = path.length % 23 === 0 ? 'reader' : path.length % 31 === 0 ? 'nobody' : 'admin'
  const who = role === 'nobody' ? {} : bearer(service.keys[role])
  try {
    const asking = { headers: { ...headers, ...who }, ...(body !== undefined && { body }) }
    return (await service.request(method, path, asking)).status
  } catch (cause) {
    return `${(cause as Error).message}\n    ${JSON.stringify({ headers, body: body?.slice(0, 500) })}`
  }
}

const asAdmin = (method: string, path: string, body?: object) =>
  service.request(method, path, { headers: bearer(service.keys.admin), ...(body && { body }) })

/** The last part of the address of what was made. */
async function make(path: string, body: object): Promise<string> {
  const { status, headers, text } = await asAdmin('POST', path, body)
  assert.equal(status, 201, text)
  return String(headers.location).split('/').at(-1) ?? ''
}

/** Things that are there. */
async function knownThings(): Promise<Known> {
  await retireRequired()
  const customer = Number(await make('/customers', { name: 'Ana', age: 30, children: 2 }))
  const [open = '', held = '', done = ''] = await Promise.all([
    make(`${DEALS}/`, { name: 'Roof', price: 100, customerId: customer, owner: 'Mila Sanz' }),
    make(`${DEALS}/`, { name: 'Hall', price: 100, currency: 'CHF' }),
    make(`${DEALS}/`, { name: 'Door', price: 100 }),
  ])
  await Promise.all([
    make(`${DEALS}/${held}/holds`, { reason: 'credit check' }),
    make(`${DEALS}/${done}/completions`, {}),
  ])
  const deals = [open, open, held, done]
  const others = await Promise.all(otherResources.map(async (resource) => ({ resource, ids: [await oneOf(resource)] })))
  return (name) => {
    const [within = '', own = ''] = name.includes('#') ? name.split('#') : ['', name]
    if (within.startsWith('/webhooks/') && own === 'id') return webhooks
    if (within.startsWith('/customers/') && own === 'id') return [customer]
    if (/^\/(users|people)\//.test(within) && own === 'name') return roles
    const other = others.find(({ resource }) => within.startsWith(`${resource.path}/`) || own === resource.name)
    if (other !== undefined && (own === 'id' || own === other.resource.name)) return other.ids
    if (other !== undefined && own === 'n') return [1]
    return (
      { id: deals, deal: deals, customerId: [customer, null], number: [1], n: [1, 2], 'dry-run': [true] }[own] ?? []
    )
  }
}

/** A part of the model is made once: its name is never used again, and nothing deletes it. */
const parts = new Map<Resource, Promise<string>>()

function oneOf(resource: Resource): Promise<string> {
  const made = parts.get(resource) ?? make(resource.path, creationOf(resource))
  if (resource.shapes !== undefined) parts.set(resource, made)
  return made
}

/** A field that a request made required would be missing in everything that is made from now on. */
async function retireRequired(): Promise<void> {
  const { status, body, text } = await asAdmin('GET', `/fields?required=true&retiredAt.null=true&limit=200`)
  assert.equal(status, 200, text)
  for (const { id } of (body.items ?? []) as readonly { readonly id: string }[]) {
    const retired = await asAdmin('PUT', `/fields/${id}/retire`)
    assert.equal(retired.status, 200, retired.text)
  }
}

const otherResources = resources.filter(({ name }) => name !== deal.name && name !== customer.name)

const creationOf = (resource: Resource): Params =>
  resource.operations.find(({ to }) => to === 'nothing')?.examples[0] ?? {}

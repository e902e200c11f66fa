import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { type Answered, openService, type Shown, type TestService } from '../../support/service/running-service.ts'

// Undoing an import after the model has changed. A service of its own: the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object, headers: object = {}): Promise<Answered> =>
  service.request(method, path, { headers: { ...headers }, ...(body && { body }) })

async function done(method: string, path: string, body?: object): Promise<Shown> {
  const answer = await ask(method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

async function settled(address: string): Promise<void> {
  while ((await done('GET', address)).isRunning === true) await setTimeout(10)
}

async function imported(on: string, file: string): Promise<string> {
  const { headers } = await ask('POST', `/imports?on=${on}`, Buffer.from(file), { 'content-type': 'text/csv' })
  const address = String(headers.location)
  await settled(address)
  await done('POST', `${address}/runs`)
  await settled(address)
  const { stage, rejected } = await done('GET', address)
  assert.deepEqual([stage, rejected], ['done', 0])
  return `${address}/undoings`
}

async function refuses(undoings: string, things: readonly object[]): Promise<void> {
  const refused = await ask('POST', undoings)
  assert.deepEqual([refused.status, refused.body.code], [409, 'changed-since'], refused.text)
  assert.partialDeepStrictEqual(refused.body.things, things)
}

testOnEachStore('what a link names by now stays', async () => {
  await done('POST', '/fields', { on: 'deal', name: 'payer', title: 'P', kind: 'link', options: { to: 'customer' } })
  await done('POST', '/fields', { on: 'customer', name: 'best', title: 'B', kind: 'link', options: { to: 'deal' } })
  const customers = await imported('customer', 'reference,name\nC-1,Imported\n')
  const deals = await imported('deal', 'reference,name,price\nD-1,Imported,1\n')
  const payer = (await done('GET', '/customers/by/reference/C-1')).id
  const best = (await done('GET', `${DEALS}/by/reference/D-1`)).id
  const deal = await done('POST', DEALS, { name: 'Naming', price: 1, own: { payer } })
  const customer = await done('POST', '/customers', { name: 'Naming', own: { best } })
  await refuses(customers, [{ on: 'deal', id: deal.id }])
  await refuses(deals, [{ on: 'customer', id: customer.id }])
  await done('PUT', `${DEALS}/${deal.id}/set-fields`, { own: { payer: null } })
  await done('PATCH', `/customers/${customer.id}`, { own: { best: null } })
  for (const undoings of [customers, deals]) assert.equal((await ask('POST', undoings)).status, 200)
})

testOnEachStore('of an undoing and a link to what it removes, one is refused', async () => {
  await done('POST', '/fields', { on: 'deal', name: 'lender', title: 'L', kind: 'link', options: { to: 'customer' } })
  for (let nth = 0; nth < 8; nth++) {
    const undoings = await imported('customer', `reference,name\nL-${nth},Lender\n`)
    const lender = (await done('GET', `/customers/by/reference/L-${nth}`)).id
    const deals = await Promise.all([1, 2, 3, 4].map(() => done('POST', DEALS, { name: 'Lent', price: 1 })))
    const [undone, ...set] = await Promise.all([
      ask('POST', undoings),
      ...deals.map(({ id }) => ask('PUT', `${DEALS}/${id}/set-fields`, { own: { lender } })),
    ])
    const statuses = set.map(({ status }) => status)
    if (undone.status === 200) assert.deepEqual(new Set(statuses), new Set([422]))
    else assert.ok(undone.status === 409 && statuses.includes(200), `${undone.status} ${statuses}`)
  }
})

testOnEachStore('no link is restored to what is gone', async () => {
  await done('POST', '/fields', { on: 'deal', name: 'follows', title: 'F', kind: 'link', options: { to: 'deal' } })
  const earlier = await done('POST', DEALS, { name: 'Earlier', price: 1 })
  const { id } = await done('POST', DEALS, { name: 'Later', price: 1, own: { follows: earlier.id } })
  const undoings = await imported('deal', `id,own.follows\n${id},\n`)
  assert.partialDeepStrictEqual((await done('GET', `${DEALS}/${id}`)).own, { follows: null })
  assert.equal((await ask('DELETE', `${DEALS}/${earlier.id}`)).status, 204)
  await refuses(undoings, [{ on: 'deal', id }])
  await done('POST', `${DEALS}/${earlier.id}/restorations`)
  assert.equal((await ask('POST', undoings)).status, 200)
  assert.partialDeepStrictEqual((await done('GET', `${DEALS}/${id}`)).own, { follows: earlier.id })
})

testOnEachStore('nothing returns to a stage, a pipeline or a choice that is gone', async () => {
  const choices = (...values: string[]) => ({ values: values.map((value) => ({ value, title: value })) })
  const field = { name: 'size', title: 'Size', options: choices('small', 'large') }
  const size = await done('POST', '/fields', { ...field, on: 'deal', kind: 'choice' })
  const sizes = await done('POST', '/fields', { ...field, on: 'customer', kind: 'choices' })
  const stages = ['first', 'second'].map((name) => ({ name, title: name, likelihood: 10 }))
  await done('POST', '/pipelines', { name: 'leaving', title: 'Leaving', stages })
  const make = async (more: object): Promise<string> => {
    const { id } = await done('POST', DEALS, { name: 'Changed', price: 1, ...more })
    return String(id)
  }
  const elsewhere = await make({ pipeline: 'leaving', stage: 'first' })
  const further = await make({ pipeline: 'leaving', stage: 'second' })
  const sized = await make({ own: { size: 'small' } })
  const customer = await done('POST', '/customers', { name: 'Changed', own: { size: ['small', 'large'] } })
  const undo = {
    pipeline: await imported('deal', `id,pipeline,stage\n${elsewhere},sales,lead\n`),
    stage: await imported('deal', `id,stage\n${further},first\n`),
    choice: await imported('deal', `id,own.size\n${sized},large\n`),
    choices: await imported('customer', `id,name,own.size\n${customer.id},Changed,large\n`),
  }
  await done('PATCH', '/pipelines/leaving', { stages: stages.slice(0, 1) })
  await refuses(undo.stage, [{ on: 'deal', id: further }])
  await done('PUT', `${DEALS}/${further}/move`, { pipeline: 'sales' })
  assert.equal((await ask('DELETE', '/pipelines/leaving')).status, 204)
  await refuses(undo.pipeline, [{ on: 'deal', id: elsewhere }])
  for (const { id } of [size, sizes]) await done('PATCH', `/fields/${id}`, { options: choices('large') })
  await refuses(undo.choice, [{ on: 'deal', id: sized }])
  await refuses(undo.choices, [{ on: 'customer', id: customer.id }])
  for (const { id } of [size, sizes]) await done('PATCH', `/fields/${id}`, { options: choices('small', 'large') })
  for (const undoings of [undo.choice, undo.choices]) assert.equal((await ask('POST', undoings)).status, 200)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import cds from '@sap/cds'

cds.env.log.levels = { remote: 'silent' }
const [, , url, csn = ''] = process.argv
cds.model = cds.linked(JSON.parse(readFileSync(csn, 'utf8')))
const { SELECT, INSERT, UPDATE, DELETE } = cds.ql
const desk = await cds.connect.to('Dealdesk', { kind: 'odata', credentials: { url } })
const { Customers, Deals } = desk.entities

const customer = await desk.run(INSERT.into(Customers).entries({ name: 'Ana Ruiz', country: 'ES' }))
for (const price of [10.5, 11.5, 12.5]) {
  await desk.run(INSERT.into(Deals).entries({ name: `Deal of ${price}`, price, customerId: customer.id }))
}
const dear = await desk.run(SELECT.from(Deals).columns('id', 'name', 'price').where('price > 11').orderBy('name'))
assert.deepEqual(
  dear.map(({ price }) => price),
  [11.5, 12.5],
)
const [shown] = await desk.run(SELECT.from(Deals, (deal) => [deal.name, deal.customer((of) => of.name)]).limit(1))
assert.equal(shown.customer.name, 'Ana Ruiz')

const [{ id }] = dear
await desk.run(UPDATE(Deals, id).with({ name: 'Renamed by CAP' }))
const held = await desk.Hold(Deals, id, { reason: 'credit check' })
assert.equal(held.held, true)
await assert.rejects(desk.Complete(Deals, id, {}), (error) => {
  assert.match(error.message, /complete is not allowed: the deal is held/)
  assert.equal(error.reason.response.body.error.code, 'wrong-state')
  return true
})
const read = await desk.run(SELECT.one.from(Deals, id))
assert.deepEqual([read.name, read.held, read.revision], ['Renamed by CAP', true, 3])
await desk.run(DELETE.from(Deals, id))
assert.equal((await desk.run(SELECT.from(Deals))).length, 2)
console.log('A consuming CAP service reads, changes, calls an action and is told why another is refused.')
process.exit(0)

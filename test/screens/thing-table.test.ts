import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesAt } from '../../src/http/contract/addresses.ts'
import { anybody, readerWith } from '../../src/languages/reader.ts'
import { say } from '../../src/languages/say.ts'
import { dealList } from '../../src/screens/deals/list.ts'
import { thingTable } from '../../src/screens/list/thing-table.ts'
import { readThing } from '../../src/screens/parts/shown.ts'
import { deal } from '../support/schema.ts'

const id = '018cc25b-1bc0-7b6a-bd8f-bd5dd067ad0e'
const roof = {
  ...deal.blank(id, '2026-11-15T08:00:00.000Z'),
  currency: 'EUR',
  name: 'Roof <south>',
  customerId: 7,
  completionDate: '2026-11-17',
}

const things = [readThing(deal.toJson(roof))]
const about = { resource: deal, screen: dealList, caption: say('Deals'), things }
const naming = (customer: string) => new Map([['customer', new Map([[7, customer]])]])

function shown(now: string, customer: string, base = '', reader = anybody): string {
  const of = addresses.get(base) ?? addressesAt(base)
  return thingTable({ ...about, names: naming(customer), now, addresses: of }).for(reader)
}

const addresses = new Map([['', addressesAt('')]])

test('a row follows the day, the minute, its customer and the address', () => {
  const first = shown('2026-11-15T08:05:00.000Z', 'Ada')
  assert.match(first, /Roof &lt;south&gt;/)
  assert.match(first, />Ada<.*in 2 days.*5 min ago/)
  assert.equal(shown('2026-11-15T08:05:59.000Z', 'Ada'), first)
  assert.match(shown('2026-11-15T08:06:00.000Z', 'Ada'), /6 min ago/)
  assert.match(shown('2026-11-16T08:05:00.000Z', 'Ada'), /tomorrow.*24 hr ago/)
  assert.match(shown('2026-11-15T08:05:00.000Z', 'Bea & Sons'), />Bea &amp; Sons</)
  assert.match(
    shown('2026-11-15T08:05:00.000Z', 'Ada', 'https://deals.example.com'),
    /href="https:\/\/deals\.example\.com\//,
  )
})

test('a table of one customer does not name them', () => {
  const now = '2026-11-15T08:05:00.000Z'
  shown(now, 'Ada')
  const table = thingTable({ ...about, names: naming('Ada'), without: ['customerId'], now, addresses: addressesAt('') })
  assert.doesNotMatch(table.for(anybody), /Ada/)
})

test('a row follows its reader, the columns and whether it can be changed', () => {
  const now = '2026-11-15T23:30:00.000Z'
  const first = shown(now, 'Ada')
  assert.match(first, /in 2 days/)
  const ofReader = (locale: string, timeZone?: string): string =>
    shown(now, 'Ada', '', readerWith({ locale, timeZone }))
  assert.match(ofReader('de'), /in 2 Tagen.*vor 15 Std/)
  assert.match(ofReader('en-US'), /Nov 17, 2026/)
  assert.match(ofReader('en-GB'), /17 Nov 2026/)
  assert.match(ofReader('en', 'Asia/Tokyo'), /tomorrow/)
  const table = (more: object): string =>
    thingTable({ ...about, names: naming('Ada'), now, addresses: addressesAt(''), ...more }).for(anybody)
  assert.match(table({ operations: [] }), /checkbox/)
  assert.doesNotMatch(table({}), /checkbox/)
  assert.doesNotMatch(table({ fields: ['price'] }), /Ada/)
  assert.doesNotMatch(table({ fields: [] }), /Ada|in 2 days/)
  assert.equal(shown(now, 'Ada'), first)
})

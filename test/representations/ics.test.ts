import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { collectionNamed } from '../../src/queries/collections.ts'
import { ics } from '../../src/representations/ics.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf } from '../support/inputs/sample-documents.ts'
import { collections, schema } from '../support/schema.ts'

const { deals } = collections
const tasks = collectionNamed(schema, 'tasks')

const thing = {
  id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10',
  createdAt: '2026-02-03T04:05:06.789Z',
  updatedAt: '2026-03-04T05:06:07.891Z',
  revision: 3,
}
const deal = { ...thing, name: 'Roof', description: '', completionDate: '2026-11-30', status: 'open' }

const write = (items: readonly object[], more: object = { items: deals }): string =>
  Buffer.from(ics.write(pageOf(items, more), context) as Uint8Array).toString()

const eventsIn = (text: string): readonly ICAL.Event[] =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))

test('a deal is an event on its day', () => {
  const text = write([deal], { items: deals, itemAddress: () => 'https://desk.example/deals/1' })
  const [event] = eventsIn(text)
  assert.equal(event?.uid, `deal-${deal.id}@dealdesk`)
  assert.equal(event?.summary, 'Roof')
  assert.equal(event?.sequence, 3)
  assert.equal(event?.startDate.isDate, true)
  assert.equal(String(event?.startDate), '2026-11-30')
  assert.equal(String(event?.component.getFirstPropertyValue('dtstamp')), '2026-03-04T05:06:07Z')
  assert.equal(event?.component.getFirstPropertyValue('url'), 'https://desk.example/deals/1')
})

test('a task is an event at its instant, or else on its day', () => {
  const task = { ...thing, title: 'Call', note: 'soon', dueOn: '2026-11-30', dueAt: '2026-12-01T09:30:00.000Z' }
  const starts = eventsIn(write([task, { ...task, dueAt: null }, { ...task, dueOn: null }], { items: tasks }))
  assert.deepEqual(
    starts.map(({ startDate }) => String(startDate)),
    ['2026-12-01T09:30:00Z', '2026-11-30', '2026-12-01T09:30:00Z'],
  )
})

test('what has no date has no event, what was cancelled is marked', () => {
  const [event, ...others] = eventsIn(
    write([
      { ...deal, completionDate: null },
      { ...deal, status: 'cancelled' },
    ]),
  )
  assert.equal(event?.component.getFirstPropertyValue('status'), 'CANCELLED')
  assert.equal(others.length, 0)
  assert.deepEqual(eventsIn(write([])), [])
})

test('lines have 75 octets at most, and every text is read back', () => {
  fc.assert(
    fc.property(acceptedText, acceptedText, (name, description) => {
      const long = `${description}${name.repeat(20)}`
      const text = write([{ ...deal, name, description: long }])
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
      const [event] = eventsIn(text)
      assert.equal(event?.summary ?? '', name.replaceAll(/\r\n?/g, '\n'))
      assert.equal(event?.description ?? '', long.replaceAll(/\r\n?/g, '\n'))
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fault } from '../../../src/values/faults/fault.ts'
import { date, instant } from '../../../src/values/kinds/time.ts'
import { fc } from '../../support/inputs/fast-check.ts'

test('the last day of each month exists, the day after it does not', () => {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  for (const [index, days] of lengths.entries()) {
    const month = String(index + 1).padStart(2, '0')
    assert.deepEqual(date.read(`2027-${month}-${days}`), { value: `2027-${month}-${days}` })
    assert.ok('fault' in date.read(`2027-${month}-${days + 1}`), month)
  }
})

test('29 February exists in leap years only', () => {
  for (const year of ['2024', '2000', '2400', '0004']) assert.ok('value' in date.read(`${year}-02-29`), year)
  for (const year of ['2023', '1900', '2100', '2200']) assert.ok('fault' in date.read(`${year}-02-29`), year)
})

test('every day that the calendar has is a date', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (day) => {
      const text = day.toISOString().slice(0, 10)
      assert.deepEqual(date.read(text), { value: text })
    }),
  )
})

test('a date is written YYYY-MM-DD and in no other way', () => {
  const others = [
    '2026-11-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '26-01-01',
    '20260101',
    '2026/01/01',
    '01.02.2026',
    ' 2026-01-01',
    '2026-01-01\n',
    '2026-01-01T00:00:00Z',
    '+12026-01-01',
    '２０２６-01-01',
    '',
    20260101,
    null,
    new Date(0),
  ]
  for (const raw of others) {
    assert.deepEqual(date.read(raw), fault('malformed', { wants: 'date' }), String(raw))
  }
})

test('an instant is kept in UTC with milliseconds', () => {
  assert.deepEqual(instant.read('2026-11-30T12:00:00Z'), { value: '2026-11-30T12:00:00.000Z' })
  assert.deepEqual(instant.read('2026-11-30t12:00:00.5z'), { value: '2026-11-30T12:00:00.500Z' })
  assert.deepEqual(instant.read('2026-11-30t12:00:00.123z'), { value: '2026-11-30T12:00:00.123Z' })
  assert.deepEqual(instant.read('2026-12-01T01:30:00.123+02:00'), { value: '2026-11-30T23:30:00.123Z' })
  assert.deepEqual(instant.read('2024-02-28T23:00:00-05:30'), { value: '2024-02-29T04:30:00.000Z' })
})

test('what RFC 3339 does not know is no instant', () => {
  const others = [
    '2026-11-30',
    '2026-11-30T12:00Z',
    '2026-11-30T12:00:00',
    '2026-11-30 12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-11-31T12:00:00Z',
    '2026-11-30T24:00:00Z',
    '2026-11-30T12:60:00Z',
    '2026-11-30T12:00:61Z',
    '2026-11-30T12:00:00+24:00',
    '2026-11-30T12:00:00+01:60',
    '2026-11-30T12:00:00+0100',
    '0000-01-01T00:00:00Z',
    // In UTC these lie outside the years that the text can hold.
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '',
    0,
    null,
  ]
  for (const raw of others) {
    assert.deepEqual(instant.read(raw), fault('malformed', { wants: 'instant' }), JSON.stringify(raw))
  }
})

test('the order of instants as text is their order in time', () => {
  const anyInstant = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(anyInstant, anyInstant, (a, b) => {
      const [first, second] = [a, b].map((each) => instant.read(each.toISOString()))
      assert.ok(first && second && 'value' in first && 'value' in second)
      assert.equal(first.value < second.value, a.getTime() < b.getTime())
    }),
  )
})

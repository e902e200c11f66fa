import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { beginningOf, clockText, instantAt } from '../../src/languages/zones.ts'

suite('a time of day in a zone', () => {
  test('is the instant at which clocks there show it', () => {
    assert.equal(instantAt('2027-03-31T09:30', 'America/New_York'), '2027-03-31T13:30:00.000Z')
    assert.equal(instantAt('2027-03-31T09:30:15.123', 'Europe/Zurich'), '2027-03-31T07:30:15.123Z')
    assert.equal(clockText('2027-03-31T13:30:00.000Z', 'America/New_York'), '2027-03-31T09:30:00')
    assert.equal(beginningOf('2026-01-01', 'Pacific/Kiritimati'), '2025-12-31T10:00:00.000Z')
  })

  test('that comes twice is the first, and one that is skipped is read by the clocks before', () => {
    assert.equal(instantAt('2026-11-01T01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z')
    assert.equal(instantAt('2026-03-08T02:30', 'America/New_York'), '2026-03-08T07:30:00.000Z')
  })

  test('is in UTC where no zone is known', () => {
    assert.equal(instantAt('2027-03-31T09:30', undefined), '2027-03-31T09:30:00.000Z')
    assert.equal(instantAt('0001-01-01T00:00', undefined), '0001-01-01T00:00:00.000Z')
  })

  test('is nothing where it is no time', () => {
    for (const text of ['', 'noon', '2027-02-31T00:00', '2027-03-31', '2027-03-31T09:30Z'])
      assert.equal(instantAt(text, 'UTC'), undefined, text)
  })
})

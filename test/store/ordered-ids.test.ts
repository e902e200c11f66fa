import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderedIds } from '../../src/store/work/ordered-ids.ts'

test('ids sort as they are made, also in one millisecond and when the clock goes back', () => {
  const newId = orderedIds()
  const ids = [...Array.from({ length: 9000 }, () => newId(5)), newId(2), newId(7), newId(8)]
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
})

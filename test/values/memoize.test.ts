import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize } from '../../src/values/memoize.ts'

test('a text is worked on once, a long one each time, and no more are kept than may be', () => {
  const seen: string[] = []
  const lengthOf = memoize((text) => seen.push(text) && text.length, 2)
  const long = 'x'.repeat(513)
  for (const text of ['a', 'a', 'bc', 'a', long, long]) assert.equal(lengthOf(text), text.length)
  assert.deepEqual(seen, ['a', 'bc', long, long])
  lengthOf('d')
  lengthOf('a')
  assert.deepEqual(seen.slice(4), ['d', 'a'], 'the third text made room for itself')
})

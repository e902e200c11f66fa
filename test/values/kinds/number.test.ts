import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fault } from '../../../src/values/faults/fault.ts'
import { boolean, integer } from '../../../src/values/kinds/number.ts'

test('an integer lies between its bounds', () => {
  const age = integer({ min: 0, max: 150 })
  assert.deepEqual(age.read(0), { value: 0 })
  assert.deepEqual(age.read(150), { value: 150 })
  for (const raw of [-1, 151, 1e300]) assert.deepEqual(age.read(raw), fault('out-of-range', { min: 0, max: 150 }))
  for (const raw of [1.5, Number.NaN, Number.POSITIVE_INFINITY, '18', null, true, [18]]) {
    assert.deepEqual(age.read(raw), fault('type', { wants: 'integer' }))
  }
})

test('minus nought is nought', () => {
  const whole = integer().read(-0)
  assert.ok('value' in whole && Object.is(whole.value, 0))
})

test('an integer that a double cannot tell from its neighbour is refused', () => {
  assert.deepEqual(integer().read(2 ** 53 - 1), { value: 2 ** 53 - 1 })
  assert.ok('fault' in integer().read(2 ** 53))
  assert.ok('fault' in integer().readText('9007199254740993'))
  assert.ok('fault' in integer().readText('-9007199254740993'))
})

test('an integer in text has one spelling', () => {
  assert.deepEqual(integer().readText('-18'), { value: -18 })
  for (const text of ['', ' 18', '18 ', '+18', '018', '1e2', '0x12', '18.0', '१८', '--1']) {
    assert.deepEqual(integer().readText(text), fault('malformed', { wants: 'integer' }))
  }
})

test('a boolean is true or false and nothing like them', () => {
  assert.deepEqual(boolean.read(false), { value: false })
  assert.deepEqual(boolean.readText('true'), { value: true })
  for (const raw of [0, 1, 'true', null]) assert.ok('fault' in boolean.read(raw))
  for (const text of ['', 'True', '1', 'yes']) assert.ok('fault' in boolean.readText(text))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, boolean, centsToText, integer } from '../../src/values/number.ts'

const price = amount()

test('an amount is kept as whole cents', () => {
  assert.deepEqual(price.read(0.1), { value: 10 })
  assert.deepEqual(price.read(0.29), { value: 29 })
  assert.deepEqual(price.read(1.15), { value: 115 })
  assert.deepEqual(price.read(129999.95), { value: 12_999_995 })
  assert.deepEqual(price.read(1e12), { value: 1e14 })
})

test('every amount of cents is read back as it was written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e14 }), (cents) => {
      assert.deepEqual(price.read(price.write(cents)), { value: cents })
      assert.deepEqual(price.read(JSON.parse(centsToText(cents))), { value: cents })
      assert.deepEqual(price.readText(centsToText(cents)), { value: cents })
    }),
  )
})

test('more than two decimals are refused, also those that arithmetic leaves behind', () => {
  for (const raw of [0.30000000000000004, 0.001, 1.005, 99.999, 1e-7, 999_999_999_999.999]) {
    assert.deepEqual(price.read(raw), { fault: 'must have at most 2 decimals' }, String(raw))
  }
})

test('an amount has a least and a greatest value', () => {
  for (const raw of [-0.01, -1, 1_000_000_000_000.01, 1e15, Number.MAX_VALUE]) {
    assert.deepEqual(price.read(raw), { fault: 'must be between 0 and 1000000000000' }, String(raw))
  }
})

test('minus nought is nought', () => {
  const read = price.read(-0)
  assert.ok('value' in read && Object.is(read.value, 0))
  const whole = integer().read(-0)
  assert.ok('value' in whole && Object.is(whole.value, 0))
})

test('what is no finite number is no amount', () => {
  for (const raw of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '1', null, true, [], {}, 1n]) {
    assert.deepEqual(price.read(raw), { fault: 'must be a number' })
  }
})

test('an amount in text has one spelling', () => {
  assert.deepEqual(price.readText('99.5'), { value: 9950 })
  assert.deepEqual(price.readText('99.50'), { value: 9950 })
  for (const text of ['', ' 1', '1 ', '1e2', '0x12', '01', '1.', '.5', '1.005', '1,5', '+1', 'NaN', 'Infinity', '１']) {
    assert.ok('fault' in price.readText(text), JSON.stringify(text))
  }
})

test('cents are written as the decimal that they are', () => {
  assert.equal(centsToText(0), '0')
  assert.equal(centsToText(10), '0.1')
  assert.equal(centsToText(5), '0.05')
  assert.equal(centsToText(-5), '-0.05')
  assert.equal(centsToText(-150), '-1.5')
  assert.equal(centsToText(1e14), '1000000000000')
  assert.equal(centsToText(8_999_999_999_999_999), '89999999999999.99')
})

test('an integer lies between its bounds', () => {
  const age = integer({ min: 0, max: 150 })
  assert.deepEqual(age.read(0), { value: 0 })
  assert.deepEqual(age.read(150), { value: 150 })
  for (const raw of [-1, 151, 1e300]) assert.deepEqual(age.read(raw), { fault: 'must be between 0 and 150' })
  for (const raw of [1.5, Number.NaN, Number.POSITIVE_INFINITY, '18', null, true, [18]]) {
    assert.deepEqual(age.read(raw), { fault: 'must be an integer' })
  }
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
    assert.deepEqual(integer().readText(text), { fault: 'must be an integer such as 18' })
  }
})

test('a boolean is true or false and nothing like them', () => {
  assert.deepEqual(boolean.read(false), { value: false })
  assert.deepEqual(boolean.readText('true'), { value: true })
  for (const raw of [0, 1, 'true', null]) assert.ok('fault' in boolean.read(raw))
  for (const text of ['', 'True', '1', 'yes']) assert.ok('fault' in boolean.readText(text))
})

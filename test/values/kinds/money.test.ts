import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fault, reason } from '../../../src/values/faults/fault.ts'
import { currency } from '../../../src/values/kinds/codes.ts'
import { amount, amountToText, decimalsFault, decimalsOf } from '../../../src/values/kinds/money.ts'
import { fc } from '../../support/inputs/fast-check.ts'

const price = amount()

test('an amount is kept as whole thousandths', () => {
  assert.deepEqual(price.read(0.1), { value: 100 })
  assert.deepEqual(price.read(0.29), { value: 290 })
  assert.deepEqual(price.read(1.155), { value: 1155 })
  assert.deepEqual(price.read(129999.95), { value: 129_999_950 })
  assert.deepEqual(price.read(1e12), { value: 1e15 })
})

test('every amount of thousandths is read back as it was written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e15 }), (thousandths) => {
      assert.deepEqual(price.read(price.write(thousandths)), { value: thousandths })
      assert.deepEqual(price.read(JSON.parse(amountToText(thousandths))), { value: thousandths })
      assert.deepEqual(price.readText(amountToText(thousandths)), { value: thousandths })
    }),
  )
})

test('more than three decimals are refused, also those that arithmetic leaves behind', () => {
  for (const raw of [0.30000000000000004, 0.0001, 1.0005, 99.9999, 1e-7, Number.NaN]) {
    assert.deepEqual(price.read(raw), fault('too-many-decimals', { max: 3, wants: 'money' }), String(raw))
  }
})

test('an amount has a least and a greatest value', () => {
  for (const raw of [-0.01, -1, 1_000_000_000_000.01, 1e15, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(price.read(raw), fault('out-of-range', { min: 0, max: 1e12 }), String(raw))
  }
  const payment = amount({ min: 1, max: 1e15 })
  for (const raw of [-1, -0, 0, 1e13]) {
    assert.deepEqual(payment.read(raw), fault('out-of-range', { above: 0, max: 1e12 }), String(raw))
  }
  assert.deepEqual(payment.schema, { type: 'number', exclusiveMinimum: 0, maximum: 1e12 })
})

test('minus nought is nought', () => {
  const read = price.read(-0)
  assert.ok('value' in read && Object.is(read.value, 0))
})

test('what is no number is no amount', () => {
  for (const raw of ['1', null, true, [], {}, 1n]) assert.deepEqual(price.read(raw), fault('type', { wants: 'number' }))
})

test('an amount in text has one spelling', () => {
  assert.deepEqual(price.readText('99.5'), { value: 99_500 })
  assert.deepEqual(price.readText('99.500'), { value: 99_500 })
  for (const text of [
    '',
    ' 1',
    '1 ',
    '1e2',
    '0x12',
    '01',
    '1.',
    '.5',
    '1.0005',
    '1,5',
    '+1',
    'NaN',
    'Infinity',
    '１',
  ]) {
    assert.ok('fault' in price.readText(text), JSON.stringify(text))
  }
})

test('thousandths are written as the decimal that they are', () => {
  for (const [thousandths, text] of [
    [0, '0'],
    [1, '0.001'],
    [100, '0.1'],
    [50, '0.05'],
    [-50, '-0.05'],
    [-1500, '-1.5'],
    [1e15, '1000000000000'],
    [8_999_999_999_999_999, '8999999999999.999'],
    [89_999_999_999_999_990n, '89999999999999.99'],
  ] as const) {
    assert.equal(amountToText(thousandths), text)
  }
})

test('an amount has at most the decimals of its currency, and trailing zeros are none', () => {
  const fine = (thousandths: number, code: string) => decimalsFault(thousandths, code)
  assert.equal(fine(12_340, 'EUR'), undefined)
  assert.deepEqual(fine(12_345, 'EUR'), reason('too-many-decimals', { max: 2, currency: 'EUR' }))
  assert.equal(fine(12_000, 'JPY'), undefined)
  assert.deepEqual(fine(12_500, 'JPY'), reason('too-many-decimals', { max: 0, currency: 'JPY', wants: 'integer' }))
  for (const code of ['KWD', 'BHD', 'CLF']) assert.equal(fine(12_345, code), undefined)
})

test('every currency has the decimals that ISO 4217 gives it, at most three', () => {
  const codes = currency.schema.enum as readonly string[]
  const with0 = codes.filter((code) => decimalsOf(code) === 0)
  const with3 = codes.filter((code) => decimalsOf(code) === 3)
  assert.equal(with0.join(' '), 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF')
  assert.equal(with3.join(' '), 'BHD CLF IQD JOD KWD LYD OMR TND')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countMembers, countValues, readJson } from '../../../src/http/request/body.ts'
import { bodyBounds } from '../../../src/values/bounds.ts'
import { isExactNumber } from '../../../src/values/json/exact-numbers.ts'
import { inDigits } from '../../../src/values/json/number-literal.ts'
import { findRepeated, parseCounted, parseJson, parseWith } from '../../../src/values/json/parse-json.ts'
import { fc } from '../../support/inputs/fast-check.ts'

function repeated(text: string): string | undefined {
  const { value, written } = parseCounted(text)
  return written === countMembers(value, 0) ? undefined : findRepeated(text)
}

/** `__proto__` is refused, and has tests of its own. */
const isAccepted = (text: string): boolean => !text.includes('__proto__')

test('any JSON is read as JSON.parse reads it, and none of its members is repeated', () => {
  fc.assert(
    fc.property(fc.json().filter(isAccepted), (text) => {
      const { value, written } = parseCounted(text)
      assert.deepEqual(value, JSON.parse(text))
      assert.equal(written, countMembers(value, 0))
      assert.equal(findRepeated(text), undefined)
    }),
  )
})

test('a member that its object has twice is found wherever it stands', () => {
  for (const [text, pointer] of [
    ['{"a":1,"a":1000}', '/a'],
    ['{"a" : 1 , "\\u0061":2}', '/a'],
    ['{"a":{"b":[1,{"c":":","d/e":{},"d/e":"\\\\"}]}}', '/a/b/1/d~1e'],
    ['[{"a":1},{"a":1,"b":{"a":2},"a":3}]', '/1/a'],
    ['{"":1,"":2}', '/'],
    ['{"a":"\\"","a":2}', '/a'],
  ] as const) {
    assert.equal(repeated(text), pointer, text)
  }
  assert.equal(repeated('[{"a":1},{"a":1},{"b":{"a":"a:a"}}]'), undefined)
})

test('a number of a million digits is read in time linear in them', () => {
  // In quadratic time each would take longer than the whole suite.
  const zeros = '0'.repeat(1_000_000)
  assert.equal(JSON.stringify(parseJson(`0.${zeros}1`)), `0.${zeros}1`)
  assert.equal(parseJson(`1.${zeros}`), 1)
  assert.equal(inDigits(`0.${zeros}1`).length, zeros.length + 3)
  assert.deepEqual([inDigits(`7.${zeros}`), inDigits(`${zeros}7`)], ['7', '7'])
})

test('digits that a double does not carry are kept', () => {
  for (const digits of [
    '999999999999.9900001',
    '0.1000000000000000055',
    '1.00100000000000000001',
    '1e-400',
    '18.00000000000000001',
  ]) {
    const number = parseJson(digits)
    assert.ok(isExactNumber(number) && number.rawJSON === digits, digits)
  }
  for (const digits of [
    '0.1',
    '12.340',
    '12.000000000000000000',
    '999999999999.999',
    '1e3',
    '0e-400',
    '8999999999999.999',
  ]) {
    assert.equal(parseJson(digits), Number(digits))
  }
  assert.deepEqual(parseJson('["999999999999.9900001",0.30000000000000004]'), ['999999999999.9900001', 0.1 + 0.2])
})

test('no value is asked for twice because a number among them is long', (t) => {
  const parse = t.mock.method(JSON, 'parse')
  const { value } = parseCounted(`[${'1,'.repeat(1000)}0.1000000000000000055,{"a":"0","b":1e-400}]`)
  assert.equal(JSON.stringify((value as unknown[]).slice(-2)), '[0.1000000000000000055,{"a":"0","b":1e-400}]')
  // With a reviver, JSON.parse calls it for each value.
  assert.deepEqual(
    parse.mock.calls.map(({ arguments: given }) => typeof given[1]),
    ['undefined', 'undefined'],
  )
})

test('some numbers are read as they are written, wherever they stand', () => {
  const raw = (literal: string) => (literal.length > 20 ? { value: JSON.rawJSON(literal) } : undefined)
  for (const text of [
    '{"id":123456789012345678901234567890,"a":[1234567890123456,{"b":-0.00000000000000000000000001}]}',
    '[[],{},"",null,true,1,123456789012345678901234567890]',
    '{"a":"123456789012345678901234567890"}',
    '1234567890123456789012345678901',
  ]) {
    assert.equal(JSON.stringify(parseWith(text, raw)), text)
  }
})

test('values are counted before any is read, and none within a text is', () => {
  const text = Buffer.from('{"a":[1,2,{"b":"[{,\\"[,"}],"c":{}}')
  assert.deepEqual([countValues(3, text), countValues(9, text)], [4, 7])
  const list = (commas: number) => readJson(Buffer.from(`[${'1,'.repeat(commas)}1]`))
  assert.ok('body' in list(bodyBounds.values - 1))
  assert.ok('problem' in list(bodyBounds.values))
})

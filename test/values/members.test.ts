import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointerTo } from '../../src/values/json/pointer.ts'
import { nullable } from '../../src/values/kinds/kind.ts'
import { amount } from '../../src/values/kinds/money.ts'
import { integer } from '../../src/values/kinds/number.ts'
import { text } from '../../src/values/kinds/text.ts'
import { membersSchema, optional, readMembers, required, withDefault, writeMembers } from '../../src/values/members.ts'

const members = {
  newPrice: required(amount()),
  reason: required(text({ min: 1, max: 20 })),
  customerId: optional(nullable(integer({ min: 1, max: 100 }))),
  amercement: withDefault(amount(), 0),
}

test('known members are read, absent ones take their default or stay absent', () => {
  const read = readMembers(members, { newPrice: 0.1, reason: ' because ' })
  assert.deepEqual(read, { values: { newPrice: 100, reason: ' because ', amercement: 0 } })
  assert.deepEqual(readMembers(members, { newPrice: 1, reason: 'x', customerId: null, amercement: 2 }), {
    values: { newPrice: 1000, reason: 'x', customerId: null, amercement: 2000 },
  })
})

test('every fault is told, each where it stands', () => {
  const read = readMembers(members, { newPrice: '1', customerId: 0, amercement: null, reasn: 'x' })
  assert.deepEqual(read, {
    faults: [
      { code: 'type', with: { wants: 'number' }, at: { pointer: '/newPrice' } },
      { code: 'required', at: { pointer: '/reason' } },
      { code: 'out-of-range', with: { min: 1, max: 100 }, at: { pointer: '/customerId' } },
      { code: 'type', with: { wants: 'number' }, at: { pointer: '/amercement' } },
      { code: 'unknown', with: { near: 'reason' }, at: { pointer: '/reasn' } },
    ],
    sound: {},
  })
})

test('an unknown member that is like none is only called unknown', () => {
  const read = readMembers(members, { newPrice: 1, reason: 'x', 'a/b~c': 1 })
  assert.deepEqual(read, {
    faults: [{ code: 'unknown', at: { pointer: '/a~1b~0c' } }],
    sound: { newPrice: 1000, reason: 'x', amercement: 0 },
  })
})

test('of very many unknown members the first are listed and the others counted', () => {
  const raw = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 1]))
  const read = readMembers(members, { newPrice: 1, reason: 'x', ...raw })
  assert.ok('faults' in read)
  assert.equal(read.faults.length, 50)
  assert.equal(read.faults.at(-1)?.more, 89_950)
})

test('names that every object inherits are unknown members', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    const body = JSON.parse(`{"newPrice":1,"reason":"x",${JSON.stringify(name)}:{"amercement":5}}`)
    const read = readMembers(members, body)
    const sound = { newPrice: 1000, reason: 'x', amercement: 0 }
    assert.deepEqual(read, { faults: [{ code: 'unknown', at: { pointer: `/${name}` } }], sound })
  }
})

test('a required member is not inherited', () => {
  const read = readMembers({ toString: required(text({ min: 1, max: 5 })) }, {})
  assert.deepEqual(read, { faults: [{ code: 'required', at: { pointer: '/toString' } }], sound: {} })
})

test('what is no object has no members', () => {
  for (const raw of [null, undefined, 1, 'x', true, [], [{}]]) {
    const faults = [{ code: 'type', with: { wants: 'object' }, at: { pointer: '' } }]
    assert.deepEqual(readMembers(members, raw), { faults, sound: {} })
  }
})

test('what was read is written back', () => {
  const raw = { newPrice: 99.95, reason: 'x', customerId: null, amercement: 0.1 }
  const read = readMembers(members, raw)
  assert.ok('values' in read)
  assert.deepEqual(writeMembers(members, read.values), raw)
})

test('a pointer escapes what RFC 6901 asks for', () => {
  assert.equal(pointerTo('~1'), '/~01')
  assert.equal(pointerTo('/'), '/~1')
  assert.equal(pointerTo(''), '/')
})

test('the schema of a group is an object of its own, which is required if one of its members is', () => {
  const one = text({ min: 1, max: 5 })
  const closed = { type: 'object', additionalProperties: false }
  assert.deepEqual(membersSchema({ 'own.a': required(one), 'own.b': optional(one), 'more.c': optional(one) }), {
    ...closed,
    properties: {
      own: { ...closed, properties: { a: one.schema, b: one.schema }, required: ['a'] },
      more: { ...closed, properties: { c: one.schema } },
    },
    required: ['own'],
  })
})

test('the schema names what is required, the defaults, and allows nothing else', () => {
  assert.deepEqual(membersSchema(members), {
    type: 'object',
    properties: {
      newPrice: { type: 'number', minimum: 0, maximum: 1e12 },
      reason: { type: 'string', minLength: 1, maxLength: 20 },
      customerId: { anyOf: [{ type: 'integer', minimum: 1, maximum: 100 }, { type: 'null' }] },
      amercement: { type: 'number', minimum: 0, maximum: 1e12, default: 0 },
    },
    required: ['newPrice', 'reason'],
    additionalProperties: false,
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from '../../../src/values/json/canonical.ts'
import type { Json } from '../../../src/values/json/json.ts'
import { fc } from '../../support/inputs/fast-check.ts'

test('the order of members does not show, at any depth', () => {
  assert.equal(
    canonicalJson({ b: 1, a: { d: [1, { f: 2, e: 3 }], c: null } }),
    '{"a":{"c":null,"d":[1,{"e":3,"f":2}]},"b":1}',
  )
})

test('the order of a list shows', () => {
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
})

test('equal content is equal text, other content is other text', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
  fc.assert(
    fc.property(json, json, (a, b) => {
      assert.deepEqual(JSON.parse(canonicalJson(a)), JSON.parse(JSON.stringify(a)))
      assert.equal(canonicalJson(a), canonicalJson(reversed(a)))
      assert.equal(canonicalJson(a) === canonicalJson(b), same(a, b))
    }),
  )
})

test('members named like parts of a prototype are members', () => {
  assert.equal(canonicalJson(JSON.parse('{"constructor":2,"__proto__":1}')), '{"__proto__":1,"constructor":2}')
})

function reversed(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversed)
  const members = Object.entries(value as { readonly [name: string]: Json }).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]))
}

function same(a: Json, b: Json): boolean {
  try {
    assert.deepEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
    return true
  } catch {
    return false
  }
}

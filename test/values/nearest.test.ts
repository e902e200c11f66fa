import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distance, nearest } from '../../src/values/faults/nearest.ts'

const words = ['HoldDeal', 'UnholdDeal', 'CompleteDeal', 'price', 'customerId', 'dry-run']

test('a word that is a slip away is found', () => {
  assert.equal(nearest('HolDeal', words), 'HoldDeal')
  assert.equal(nearest('dry_run', words), 'dry-run')
  assert.equal(nearest('prize', words), 'price')
  assert.equal(nearest('custommerId', words), 'customerId')
})

test('letter case is a slip too', () => {
  assert.equal(nearest('holddeal', words), 'HoldDeal')
  assert.equal(nearest('PRICE', words), 'price')
})

test('of equally near words it is the one that begins and ends alike', () => {
  const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in']
  assert.equal(nearest('neq', comparisons), 'ne')
  assert.equal(nearest('ge', comparisons), 'gte')
  assert.equal(nearest('le', comparisons), 'lte')
  assert.equal(nearest('x', comparisons), undefined)
})

test('a word that is far from all is not guessed', () => {
  assert.equal(nearest('banana', words), undefined)
  assert.equal(nearest('', words), undefined)
  assert.equal(nearest('x', []), undefined)
})

test('of a word of any length only the beginning is looked at', () => {
  const beginning = 'x'.repeat(64)
  assert.equal(nearest(beginning + 'y'.repeat(1_000_000), [...words, beginning]), beginning)
  assert.equal(nearest('x'.repeat(1_000_000), words), undefined)
})

test('a word that is too far away is not compared to its end', () => {
  assert.equal(distance('kitten', 'sitting'), 3)
  assert.equal(distance('kitten', 'sitting', 3), 3)
  assert.ok(distance('kitten', 'sitting', 2) > 2)
  assert.equal(distance('ab'.repeat(32), 'yz'.repeat(32), 4), 5)
  assert.equal(nearest('a'.repeat(30), [`${'a'.repeat(23)}${'b'.repeat(7)}`]), undefined)
})

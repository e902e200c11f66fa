import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from '../../src/values/nearest.ts'

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

test('a word that is far from all is not guessed', () => {
  assert.equal(nearest('banana', words), undefined)
  assert.equal(nearest('', words), undefined)
  assert.equal(nearest('x', []), undefined)
})

test('a word of any length is answered at once', () => {
  const started = performance.now()
  assert.equal(nearest('x'.repeat(1_000_000), words), undefined)
  assert.ok(performance.now() - started < 500)
})

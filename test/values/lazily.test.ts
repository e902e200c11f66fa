import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazily } from '../../src/values/lazily.ts'

test('something is loaded once, at its first use', async () => {
  const loads: string[] = []
  const load = (name: string) => lazily(async () => loads.push(name) && name)
  const used = load('used')
  load('unused')
  assert.deepEqual(await Promise.all([used(), used()]), ['used', 'used'])
  assert.equal(await used(), 'used')
  assert.deepEqual(loads, ['used'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazily, loadRest } from '../../src/values/lazily.ts'

test('something is loaded once, at its first use or with the rest', async () => {
  const loads: string[] = []
  const load = (name: string) => lazily(async () => loads.push(name) && name)
  const used = load('used')
  const unused = load('unused')
  assert.equal(await used(), 'used')
  assert.deepEqual(loads, ['used'])
  await Promise.all([loadRest(), unused()])
  await loadRest()
  assert.equal(await unused(), 'unused')
  assert.deepEqual(loads, ['used', 'unused'])
})

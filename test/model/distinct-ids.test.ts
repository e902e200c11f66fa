import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireDistinctIds } from '../../src/model/schema/build-schema.ts'
import { customer, deal, resources } from '../support/schema.ts'

const visit = { name: 'visit', plural: 'visits', path: '/visits' }

test('a second resource whose ids are numbers is refused at start', () => {
  assert.throws(() => requireDistinctIds([...resources, { ...customer, ...visit }]), {
    message: 'customer and visit are both identified by numbers: give visit a UUID',
  })
})

test('resources whose ids are UUIDs may be many', () => {
  assert.doesNotThrow(() => requireDistinctIds([...resources, { ...deal, ...visit }]))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceNamed, resources, withDistinctIds } from '../../src/model/resources.ts'

const visit = { name: 'visit', plural: 'visits', path: '/visits' }

test('a second resource whose ids are numbers is refused at start', () => {
  assert.throws(() => withDistinctIds([...resources, { ...resourceNamed('customer'), ...visit }]), {
    message: 'customer and visit are both identified by numbers: give visit a UUID',
  })
})

test('resources whose ids are UUIDs may be many', () => {
  const more = [...resources, { ...resourceNamed('deal'), ...visit }]
  assert.deepEqual(withDistinctIds(more), more)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesAt } from '../../src/http/contract/addresses.ts'
import { anybody } from '../../src/languages/reader.ts'
import { problemPage } from '../../src/screens/problem/view.ts'
import type { Fault } from '../../src/values/faults/fault.ts'

const problem = {
  status: 422,
  title: 'Invalid',
  detail: 'Two faults',
  meaning: 'The `body` is not as it should be.',
  remedy: 'Change it.',
  about: '/problems/invalid-body',
  request: 'r1',
  addresses: addressesAt(''),
}

test('a problem shows what happened and what to do about it', () => {
  const page = problemPage({ ...problem, errors: [] }).for({ ...anybody, developer: true })
  assert.match(page, /<h1>Invalid<\/h1>/)
  assert.match(page, /<p class="detail">Two faults<\/p>/)
  assert.match(page, /The <code>body<\/code> is not as it should be\./)
  assert.match(page, /<a href="\/problems\/invalid-body">/)
})

test('a problem shows each fault and where it is', () => {
  const errors: readonly Fault[] = [
    { code: 'required', at: { pointer: '/reason' } },
    { code: 'type', with: { wants: 'integer' }, at: { parameter: 'age' } },
  ]
  const page = problemPage({ ...problem, errors }).for(anybody)
  assert.match(page, /<li><code>\/reason<\/code> is required<\/li><li><code>age<\/code> must be an integer<\/li>/)
})

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { namedQueries, namedQuery } from '../../src/queries/named-queries.ts'
import { readFilter } from '../../src/values/kind.ts'

test('every named query of the folder is listed under the name of its file', () => {
  const files = readdirSync(new URL('../../src/queries/named-queries', import.meta.url))
  assert.deepEqual(files.map((file) => file.replace('.ts', '')).sort(), namedQueries.map(({ name }) => name).sort())
})

test('every example is a value of its parameter', () => {
  for (const { name, parameter } of namedQueries) {
    assert.ok('value' in readFilter(parameter.kind, String(parameter.example)), name)
  }
})

test('overdue deals are open and were to be completed before the date', () => {
  const overdue = namedQuery('overdue-deals')
  const terms = overdue?.scope('2026-11-30').map(({ field, operator, values }) => [field.name, operator, ...values])
  assert.deepEqual(terms, [
    ['status', 'eq', 'open'],
    ['completionDate', 'lt', '2026-11-30'],
  ])
  assert.deepEqual(
    overdue?.sort.map(({ field }) => field.name),
    ['completionDate', 'id'],
  )
  assert.equal(namedQuery('constructor'), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedQueries } from '../../src/queries/named-queries.ts'
import { leavesOf } from '../../src/queries/query.ts'
import { readFilter } from '../../src/values/kinds/kind.ts'
import { schema } from '../support/schema.ts'

test('every named query has a name of its own', () => {
  const names = namedQueries(schema).map(({ name }) => name)
  assert.deepEqual([...new Set(names)], names)
})

test('every example is a value of its parameter', () => {
  for (const { name, parameter } of namedQueries(schema)) {
    assert.ok('value' in readFilter(parameter.kind, String(parameter.example)), name)
  }
})

test('overdue deals are open and were to be completed before the date', () => {
  const overdue = namedQueries(schema).find(({ name }) => name === 'overdue-deals')
  const terms = leavesOf(overdue?.scope('2026-11-30') ?? []).map(({ field, operator, values }) => [
    field.name,
    operator,
    ...values,
  ])
  assert.deepEqual(terms, [
    ['status', 'eq', 'open'],
    ['completionDate', 'lt', '2026-11-30'],
  ])
  assert.deepEqual(
    overdue?.sort.map(({ field }) => field.name),
    ['completionDate', 'id'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSchema, NOTHING_ADDED } from '../../src/model/build/build-schema.ts'
import type { Thing } from '../../src/model/resource.ts'
import { resourceNamed } from '../../src/model/resources.ts'
import type { Resource, Schema } from '../../src/model/schema.ts'
import { queryFaults } from '../../src/queries/parse/saved-query.ts'
import { brokenBy } from '../../src/store/work/model/broken-conditions.ts'

const region = { on: 'deal', name: 'region', title: 'Region', kind: 'text' } as const
const schema = buildSchema({ ...NOTHING_ADDED, version: 1, fields: [region] })
const field: Resource = resourceNamed(schema, 'field')

const condition = (name: string, query: string) => ({
  ...{ on: 'view', id: name, name },
  isSound: (by: Schema) => queryFaults(by)('deals', query).length === 0,
})

test('a condition is broken by a change of the model if it was understood before, and is no longer', () => {
  const conditions = [
    condition('by region', 'own.region=north&sort=name'),
    condition('sorted', 'sort=-own.region'),
    condition('other', 'status=open'),
    condition('never understood', 'own.regoin=north'),
  ]
  const gone = field.blank(undefined as never, '2026-11-18T10:00:00.000Z') as unknown as Thing
  assert.deepEqual(
    brokenBy(field, conditions)(gone, true).map(({ name }) => name),
    ['by region', 'sorted'],
  )
  assert.deepEqual(brokenBy(field, conditions)({ ...gone, id: 'another' }, false), [])
})

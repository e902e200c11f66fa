import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Thing } from '../../src/model/declaration/resource.ts'
import type { Resource, Schema } from '../../src/model/declaration/schema.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { SALES } from '../../src/model/source/pipeline-source.ts'
import { savedFilter } from '../../src/queries/parse/saved-query.ts'
import { brokenBy, type SharedCondition } from '../../src/store/transactions/model/broken-conditions.ts'
import { shared } from '../../src/store/transactions/model/conditions-in-use.ts'

const region = { on: 'deal', name: 'region', title: 'Region', kind: 'text' } as const
const schema = buildSchema({ ...NOTHING_ADDED, version: 1, fields: [region] })
const field: Resource = resourceNamed(schema, 'field')

const condition = (name: string, query: string, collection = 'deals') =>
  shared({ on: 'view', id: name, name, filter: (by: Schema) => savedFilter(by, collection, query) })
const brokenAmong = (conditions: readonly SharedCondition[], of: Resource, thing: Thing, removed: boolean) =>
  brokenBy(of, conditions)(thing, removed).map(({ name }) => name)

test('a condition is broken by a change of the model if it was understood before, and is no longer', () => {
  const conditions = [
    condition('by region', 'own.region=north&sort=name'),
    condition('sorted', 'sort=-own.region'),
    condition('other', 'status=open'),
    condition('never understood', 'own.regoin=north'),
  ]
  const gone = field.blank(undefined as never, '2026-11-18T10:00:00.000Z') as unknown as Thing
  assert.deepEqual(brokenAmong(conditions, field, gone, true), ['by region', 'sorted'])
  assert.deepEqual(brokenAmong(conditions, field, { ...gone, id: 'another' } as Thing, false), [])
})

test('a stage is named in each pipeline that a condition is about', () => {
  const [blue, red] = ['blue', 'red'].map((name, at) => ({
    ...{ ...SALES, id: name, name, position: at + 1, default: false },
    stages: ['lead', 'due', 'due-again'].map((stage) => ({ ...SALES.stages[0], name: stage })),
  }))
  const pipeline: Resource = resourceNamed(
    buildSchema({ ...NOTHING_ADDED, version: 1, pipelines: [SALES, blue, red] as never }),
    'pipeline',
  )
  const blank = pipeline.blank('blue', '2026-11-18T10:00:00.000Z')
  const thing = (stages: readonly string[], more: object = {}) =>
    ({ ...blank, ...blue, ...more, stages: blue?.stages.filter(({ name }) => stages.includes(name)) }) as never as Thing
  const conditions = [
    condition('anywhere', 'stage=due'),
    condition('range', 'pipeline=blue&stage.gte=due'),
    condition('either', 'or=(and(pipeline.eq.blue,stage.eq.due),owner.eq.ann)'),
    condition('not elsewhere', 'pipeline.ne=red&not.or=(pipeline.eq.sales)&stage.ne=due'),
    condition('of a related deal', 'deal.stage=due&deal.pipeline=blue', 'tasks'),
    condition('of another related deal', 'deal.stage=due&deal.pipeline=red', 'tasks'),
    condition('elsewhere', 'pipeline=red&stage=due'),
    condition('not here', 'pipeline.ne=blue&stage=due'),
    condition('elsewhere in an alternative', 'or=(and(pipeline.eq.red,stage.eq.due),pipeline.eq.blue)'),
    condition('another stage', 'pipeline=blue&stage=lead'),
    condition('of another pipeline only', 'pipeline=blue&stage=contract'),
  ]
  const names = conditions.map(({ name }) => name)
  assert.deepEqual(brokenAmong(conditions, pipeline, thing(['lead', 'due-again']), false), names.slice(0, 5))
  assert.deepEqual(brokenAmong(conditions, pipeline, thing(['due', 'lead']), false), [])
  const left = ['anywhere', 'of another related deal', 'elsewhere']
  assert.deepEqual(
    brokenAmong(conditions, pipeline, thing(['lead', 'due', 'due-again'], { closing: true }), false),
    names.filter((name) => !left.includes(name)),
    'a pipeline that goes is named, or the last one with the stage',
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../src/model/declaration/schema.ts'
import { operationNamed, resourceNamed } from '../../src/model/schema/resources.ts'
import { SALES } from '../../src/model/source/pipeline-source.ts'
import { schema } from '../support/schema.ts'

const pipeline = resourceNamed(schema, 'pipeline')
const change = operationNamed('change', pipeline) as Operation

test('a closing stage that is empty goes, also with a list from before', () => {
  const stages = SALES.stages.map((stage) => ({ ...stage, closing: stage.name === 'lead' }))
  const thing = { ...pipeline.blank('id', '2026-01-01T00:00:00.000Z'), ...SALES, stages, moveTo: { lead: 'contract' } }
  const facts = { now: '2026-01-02T00:00:00.000Z', exists: () => true, queryFaults: () => [], counts: new Map() }
  const decided = change.decide(thing as never, { stages } as never, facts as never)
  assert.ok('thing' in decided, JSON.stringify(decided))
  const after = decided.thing as unknown as typeof thing
  assert.deepEqual(
    [after.stages.map(({ name }) => name), after.moveTo],
    [['qualified', 'proposal', 'negotiation', 'contract'], null],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Circumstances, Params } from '../../src/model/declaration/operation.ts'
import type { Thing } from '../../src/model/declaration/resource.ts'
import type { Operation, Resource } from '../../src/model/declaration/schema.ts'
import { isDeleted, operationNamed, whyNotNow } from '../../src/model/schema/resources.ts'
import { ways } from '../support/deals/ways.ts'
import { operations } from '../support/schema.ts'

const now = new Date().toISOString()
const circumstances: Circumstances = { now, exists: () => true, queryFaults: () => [] }

/** Things of each kind to begin with: whatever the operations on deals lead to, and what creations make of others. */
function thingsOf(resource: Resource): readonly Thing[] {
  if (resource.name === 'deal') return ways.map(({ deal }) => deal)
  const made = resource.operations.flatMap((create) =>
    create.to === 'nothing'
      ? create.examples.flatMap((params) => done(create, resource.blank(1, now) as unknown as Thing, params) ?? [])
      : [],
  )
  return made.flatMap((thing) => [
    thing,
    ...resource.operations.flatMap((each) => done(each, thing, each.examples[0]) ?? []),
  ])
}

function done(operation: Operation, thing: Thing, params: Params): Thing | undefined {
  if (operation.to !== 'nothing' && whyNotNow(operation, thing, now) !== undefined) return undefined
  const decision = operation.decide(thing, params, circumstances)
  return 'thing' in decision ? decision.thing : undefined
}

for (const operation of operations.filter(({ undo }) => undo !== undefined)) {
  test(`undoing ${operation.words.action} gives back the former state`, () => {
    let count = 0
    for (const before of thingsOf(operation.on)) {
      for (const params of operation.examples) {
        const after = done(operation, before, params)
        if (after === undefined) continue
        count++
        assert.deepEqual(stateOf(undone(operation, before, after, params)), stateOf(before))
      }
    }
    assert.ok(count > 0, 'an example is possible')
  })
}

function undone(operation: Operation, before: Thing, after: Thing, params: Params): Thing {
  const shown = JSON.parse(operation.on.toJson(before as never)) as Params
  const steps = operation.undo?.(shown, operation.normalize(params) ?? {}) ?? []
  return steps.reduce((thing, step) => {
    const opposite = operationNamed(step.operation, operation.on)
    const next = opposite && done(opposite, thing, step.params)
    assert.ok(next, `${step.operation} ${JSON.stringify(step.params)} is possible`)
    return next
  }, after)
}

/**
 * Without when it was changed; of a deletion, only whether there was one. What the service has to build again is ready
 * afterwards.
 */
const stateOf = ({ updatedAt: _updatedAt, revision: _revision, ...state }: Thing) => ({
  ...state,
  ...('state' in state && { state: state.state === 'building' ? 'ready' : state.state }),
  deletedAt: isDeleted(state),
})

test('what removes a thing for good has no opposite', () => {
  for (const { removes, undo } of operations) if (removes) assert.equal(undo, undefined)
})

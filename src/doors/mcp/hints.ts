import type { Circumstances, Params } from '../../model/declaration/operation.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { allowedOperations } from '../../model/schema/resources.ts'

/** A tool's hints about itself, with which a client decides whether to ask somebody first. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export const readingHints: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** The hints of the operations on a resource. */
export function hintsOn(resource: Resource): (operation: Operation) => Hints {
  const things = exampleThings(resource)
  return (operation) => ({
    readOnlyHint: false,
    destructiveHint: operation.danger === true || operation.removes === true,
    idempotentHint: isIdempotent(operation, things),
    openWorldHint: false,
  })
}

/** Whether a repetition has no further effect, not even an entry in the history. */
function isIdempotent(operation: Operation, things: readonly Thing[]): boolean {
  if (operation.removes) return true
  if (operation.to === 'nothing') return false
  const repeats = things.flatMap((thing) =>
    operation.examples.flatMap((params) => {
      const once = decided(operation, thing, params)
      return once === undefined ? [] : [isRecorded(operation, once, params)]
    }),
  )
  return repeats.length > 0 && !repeats.includes(true)
}

/** It is neither refused nor a change without a difference. */
function isRecorded(operation: Operation, thing: Thing, params: Params): boolean {
  if (!allowedOperations(operation.on, thing, START).includes(operation)) return false
  const decision = operation.decide(thing, params, circumstances)
  return 'thing' in decision && !(operation.differences && Object.keys(decision.params).length === 0)
}

/** New things, the results of each operation on them, and then things that allow other operations. */
function exampleThings(resource: Resource): readonly Thing[] {
  const operations = resource.operations
  const creations = operations.filter(({ to }) => to === 'nothing')
  const changes = operations.filter(({ to, removes }) => to !== 'nothing' && !removes)
  const made = results(creations, [resource.blank('', START) as unknown as Thing])
  const changed = results(changes, made)
  const allows = (thing: Thing): string =>
    allowedOperations(resource, thing, START)
      .map(({ name }) => name)
      .join()
  const known = new Set([...made, ...changed].map(allows))
  const distinct = new Map(changed.map((thing) => [allows(thing), thing]))
  return [...made, ...changed, ...results(changes, [...distinct.values()]).filter((thing) => !known.has(allows(thing)))]
}

const results = (operations: readonly Operation[], things: readonly Thing[]): readonly Thing[] =>
  things.flatMap((thing) =>
    operations.flatMap((each) => each.examples.flatMap((params) => decided(each, thing, params) ?? [])),
  )

function decided(operation: Operation, thing: Thing, params: Params): Thing | undefined {
  const decision = operation.decide(thing, params, circumstances)
  return 'thing' in decision ? decision.thing : undefined
}

const START = '2026-01-01T00:00:00.000Z'
const circumstances: Circumstances = { now: START, exists: () => true, queryFaults: () => [] }

import type { Circumstances, Operation, Params } from '../../../model/operation.ts'
import type { Resource, Thing } from '../../../model/resource.ts'
import { allowedOperations, operationsOn } from '../../../model/resources.ts'

/** What a tool says of itself, so that a client can decide whether to ask somebody first. */
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

/** Whether a repetition has no further effect: it is refused, or the thing stays as it is. Creations and notes add up. */
function isIdempotent(operation: Operation, things: readonly Thing[]): boolean {
  if (operation.removes) return true
  if (operation.to === 'nothing' || operation.changes.length === 0) return false
  const done = things.flatMap((thing) =>
    operation.examples.flatMap((params) => {
      const once = decided(operation, thing, params)
      return once === undefined ? [] : [{ once, twice: decided(operation, once, params) }]
    }),
  )
  const isSame = (one: Thing, other: Thing): boolean => content(operation.on, one) === content(operation.on, other)
  return done.length > 0 && done.every(({ once, twice }) => twice === undefined || isSame(once, twice))
}

/** Things as their creation makes them, what each operation makes of those, and then those that allow something else. */
function exampleThings(resource: Resource): readonly Thing[] {
  const operations = operationsOn(resource)
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

const content = (resource: Resource, thing: Thing): string =>
  resource.toJson({ ...thing, revision: 1, updatedAt: START } as unknown as Parameters<typeof resource.toJson>[0])

import type { Circumstances, Operation, Params } from '../../../model/operation.ts'
import type { Thing } from '../../../model/resource.ts'
import { operationsOn } from '../../../model/resources.ts'

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

export const hintsOf = (operation: Operation): Hints => ({
  readOnlyHint: false,
  destructiveHint: operation.danger === true || operation.removes === true,
  idempotentHint: isIdempotent(operation),
  openWorldHint: false,
})

/** Whether a repetition has no further effect: it is refused, or the thing stays as it is. Creations and notes add up. */
function isIdempotent(operation: Operation): boolean {
  if (operation.removes) return true
  if (operation.to === 'nothing' || operation.changes.length === 0) return false
  const starts = exampleThings(operation).flatMap((thing) =>
    operation.examples.flatMap((params) => {
      const once = decided(operation, thing, params)
      return once === undefined ? [] : [{ once, params }]
    }),
  )
  return (
    starts.length > 0 &&
    starts.every(({ once, params }) => {
      const twice = decided(operation, once, params)
      return twice === undefined || content(operation, twice) === content(operation, once)
    })
  )
}

/** A thing as its creation makes it, and what each other operation makes of that. */
function exampleThings({ on }: Operation): readonly Thing[] {
  const made = operationsOn(on).flatMap((each) => results(each, on.blank('', START) as unknown as Thing, 'nothing'))
  return made.flatMap((thing) => [thing, ...operationsOn(on).flatMap((each) => results(each, thing, undefined))])
}

const results = (operation: Operation, thing: Thing, to: Operation['to']): readonly Thing[] =>
  operation.to === to ? operation.examples.flatMap((params) => decided(operation, thing, params) ?? []) : []

function decided(operation: Operation, thing: Thing, params: Params): Thing | undefined {
  const decision = operation.decide(thing, params, circumstances)
  return 'thing' in decision ? decision.thing : undefined
}

const START = '2026-01-01T00:00:00.000Z'
const circumstances: Circumstances = { now: START, exists: () => true, queryFaults: () => [] }

const content = ({ on }: Operation, thing: Thing): string =>
  on.toJson({ ...thing, revision: 1, updatedAt: START } as unknown as Parameters<typeof on.toJson>[0])

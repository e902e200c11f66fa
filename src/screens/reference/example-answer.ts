import { STATUS_CODES } from '../../http/connection/node-http.ts'
import { successOf } from '../../http/respond/replies.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { creationOf, isDeleted, whyNotNow } from '../../model/schema/resources.ts'

/** Fixed, so that the pages stay the same. */
const NOW = '2026-11-15T09:30:00.000Z'
const knownThings = { now: NOW, exists: () => true, queryFaults: () => [] }

/** The answer to an example: the status, and the thing as the operation leaves it, if it has a body. */
export interface ExampleAnswer {
  readonly status: string
  readonly json?: string
}

/**
 * The answer to the example of an operation, as the declarations decide it; undefined if no example leads to a state
 * that allows it.
 */
export function exampleAnswer(operation: Operation): ExampleAnswer | undefined {
  const { on, to, examples } = operation
  const before = to === 'nothing' ? blankOf(on) : thingFor(operation)
  const decision = before && operation.decide(before, examples[0], knownThings)
  if (decision === undefined || !('thing' in decision)) return undefined
  const { status } = successOf(to === 'nothing' ? 'created' : 'thing', operation)
  const line = `${status} ${STATUS_CODES[status]}`
  return status === 204 ? { status: line } : { status: line, json: pretty(on.toJson(decision.thing as never)) }
}

const blankOf = (resource: Resource): Thing => {
  const { id } = resource.example as { readonly id?: Thing['id'] }
  return resource.blank(id ?? 1, NOW) as unknown as Thing
}

/** A thing that allows the operation: the example, or the example after one or two other operations. */
function thingFor(operation: Operation): Thing | undefined {
  const { on } = operation
  const first = done(creationOf(on), blankOf(on))
  if (first === undefined) return undefined
  const fits = (thing: Thing): boolean =>
    isDeleted(thing) === (operation.to === 'deleted') &&
    whyNotNow(operation, thing, NOW) === undefined &&
    isDecided(thing)
  const isDecided = (thing: Thing): boolean => 'thing' in operation.decide(thing, operation.examples[0], knownThings)
  const next = (thing: Thing): readonly Thing[] =>
    on.operations.flatMap((each) =>
      each.to === 'nothing' || each.removes || whyNotNow(each, thing, NOW) !== undefined
        ? []
        : (done(each, thing) ?? []),
    )
  const second = next(first)
  return [first, ...second].find(fits) ?? second.flatMap(next).find(fits)
}

function done(operation: Operation, thing: Thing): Thing | undefined {
  const decision = operation.decide(thing, operation.examples[0], knownThings)
  return 'thing' in decision ? decision.thing : undefined
}

/** With line breaks; amounts are written as they are. */
const pretty = (json: string): string =>
  json.replaceAll(/("(?:[^"\\]|\\.)*"|[^",{}]+)|([,{}])/g, (whole, value?: string) =>
    value !== undefined ? value : whole === ',' ? ',\n  ' : whole === '{' ? '{\n  ' : '\n}',
  )

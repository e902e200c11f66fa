import type { Kind } from '../../values/kinds/kind.ts'
import { memberIn, memberPointer, readMembers, withMembers, withoutMember } from '../../values/members.ts'
import type { Params } from '../declaration/operation.ts'
import { valueIn } from '../declaration/operation.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Operation } from '../declaration/schema.ts'

/**
 * The examples of an operation as the model takes them: a value that it has lost is replaced or left out, and what it
 * asks for since is added. What no value could meet stays as it was declared.
 */
export function fittingExamples(
  [first, ...others]: readonly [Params, ...Params[]],
  operation: Operation,
): readonly [Params, ...Params[]] {
  const fitting = (example: Params): Params => fitted(example, operation)
  return [fitting(first), ...others.map(fitting)]
}

function fitted(example: Params, operation: Operation): Params {
  let params = example
  // An added value may ask for more: a stage for its fields.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const wrong = unmet(params, operation)
    if (wrong.length === 0) break
    for (const name of wrong) params = withSample(params, name, operation)
  }
  return params
}

const MOST_ROUNDS = 3

function withSample(params: Params, name: string, operation: Operation): Params {
  const member = operation.params[name]
  if (member === undefined) return params
  for (const value of samplesOf(member.kind)) {
    const tried = withMembers(params, [[name, value]]) as Params
    if (!unmet(tried, operation).includes(name)) return tried
  }
  return member.required || memberIn(params, name) === undefined ? params : (withoutMember(params, name) as Params)
}

/** The parameters that are missing or that the model does not take. */
function unmet(params: Params, { on, to, params: members, needsOne, decide }: Operation): readonly string[] {
  const read = readMembers(members, params)
  const faults = 'faults' in read ? read.faults : []
  const names = Object.keys(members)
  const wrong = names.filter((name) => faults.some(({ at }) => at.pointer === memberPointer(name)))
  if (wrong.length > 0) return wrong
  if (needsOne && names.every((name) => memberIn(params, name) === undefined)) return names.slice(0, 1)
  if (on.entry === undefined) return []
  const before = on.blank(EXAMPLE_ID, NOW) as unknown as Thing
  const decision = decide(before, params, { now: NOW, exists: () => true, queryFaults: () => [], unconditional: true })
  const places = on.entry.by.filter((name) => memberIn(params, name) !== undefined)
  if ('faults' in decision)
    return places.filter((name) => decision.faults.some(({ at }) => at.pointer === memberPointer(name)))
  if (!('thing' in decision)) return []
  const { thing } = decision
  const entered = on.entry.entered((to === 'nothing' ? undefined : before) as never, thing as never, on.schema)
  if (entered?.isClosing) return places.length > 0 ? places : on.entry.by.filter((name) => Object.hasOwn(members, name))
  return (entered?.requires ?? []).filter((name) => Object.hasOwn(members, name) && (valueIn(thing, name) ?? '') === '')
}

const EXAMPLE_ID = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
const NOW = '2026-11-15T04:05:05.173Z'

/** Values of which one is of the kind: those that it lists, or one of every other kind. */
function samplesOf({ schema }: Kind<unknown>): readonly Params[string][] {
  const [own = schema] = (schema.anyOf ?? []) as readonly Kind<unknown>['schema'][]
  const listed = (own.enum ?? []) as readonly Params[string][]
  const { enum: items = [] } = (own.items ?? {}) as { readonly enum?: readonly Params[string][] }
  return [...listed, ...items.map((each) => [each]), ...anyOfThem]
}

const anyOfThem: readonly Params[string][] = [
  ...['North', 'N', 1, true, '2026-11-30', '2026-11-30T12:00:00.000Z'],
  ...['https://example.com', 'ana@example.com', '+49 30 123456', EXAMPLE_ID],
]

import assert from 'node:assert/strict'
import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Key, Thing } from '../../../src/model/declaration/resource.ts'
import type { Operation, Resource } from '../../../src/model/declaration/schema.ts'
import { operationsOnExisting, whyNotNow } from '../../../src/model/schema/resources.ts'
import { performAlone, type Store } from '../../../src/store/port/store.ts'
import { intentTo } from '../deals/intents.ts'
import { repeatable } from '../schema.ts'

/** Things of every resource whose examples can be made again, because others use the same store. */
export interface MadeThings {
  /** One of each, to which examples may refer. */
  readonly named: ReadonlyMap<string, Key>
  readonly make: (resource: Resource, steps: readonly Step[]) => Promise<Key>
  /** The same parameters with a thing that exists, where they refer to one. */
  readonly referring: (step: Step) => Params
  /** What the declaration makes of a thing; nothing when it is refused or makes no difference. */
  readonly decided: (thing: Thing, step: Step) => Made | undefined
  /** The shortest way of examples to a thing that the goal is true of. */
  readonly wayTo: (resource: Resource, goal: (thing: Thing) => boolean) => Way | undefined
}

export interface Step {
  readonly operation: Operation
  readonly params: Params
}

export interface Made {
  readonly thing: Thing
  readonly params: Params
}

export interface Way {
  readonly steps: readonly Step[]
  readonly thing: Thing
}

export async function makeThings(store: Store): Promise<MadeThings> {
  const named = new Map<string, Key>()
  for (const resource of repeatable.toSorted((a, b) => a.references.length - b.references.length)) {
    named.set(resource.name, await make(resource, [creationOf(resource)]))
  }
  const known = new Map<Resource, readonly Way[]>()
  return { named, make, referring, decided, wayTo }

  function referring({ operation, params }: Step): Params {
    const references = Object.entries(operation.params).flatMap(([name, { kind }]) =>
      kind.refersTo === undefined || (params[name] ?? null) === null ? [] : [[name, named.get(kind.refersTo)]],
    )
    return { ...params, ...Object.fromEntries(references) }
  }

  async function make({ name }: Resource, steps: readonly Step[]): Promise<Key> {
    let target: Key | undefined
    for (const step of steps) {
      const asked = { resource: name, ...(target !== undefined && { target }) }
      const outcome = await performAlone(
        store,
        intentTo(step.operation.words.action, undefined, referring(step), { ...asked, persons: anybody(step.params) }),
      )
      assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
      target = outcome.thing.id
    }
    assert.ok(target !== undefined)
    return target
  }

  function decided(thing: Thing, step: Step): Made | undefined {
    const { operation } = step
    if (operation.to !== 'nothing' && whyNotNow(operation, thing, now) !== undefined) return undefined
    const isGiven = operation.to === 'nothing' && Object.hasOwn(operation.params, 'currency')
    const decision = operation.decide(
      thing,
      { ...(isGiven && defaults), ...operation.usual?.(referring(step)), ...referring(step) },
      { now, exists: () => true, queryFaults: () => [] },
    )
    if (!('thing' in decision)) return undefined
    return operation.differences && Object.keys(decision.params).length === 0 ? undefined : decision
  }

  function wayTo(resource: Resource, goal: (thing: Thing) => boolean): Way | undefined {
    const ways = known.get(resource) ?? waysOf(resource)
    known.set(resource, ways)
    return ways.find(({ thing }) => goal(thing))
  }

  /** A way to each kind of thing that the examples lead to, shortest first: things that allow the same are of one kind. */
  function waysOf(resource: Resource): readonly Way[] {
    const creation = creationOf(resource)
    const first = decided(blankOf(resource), creation)
    assert.ok(first)
    const examples = operationsOnExisting(resource)
      .filter(({ removes }) => !removes)
      .flatMap((operation) => operation.examples.map((params) => ({ operation, params })))
    const ways: Way[] = [{ steps: [creation], thing: first.thing }]
    const seen = new Set<string>()
    for (const way of ways) {
      for (const step of examples) {
        const next = decided(way.thing, step)
        const kind = next && examples.map((each) => (decided(next.thing, each) === undefined ? '-' : '+')).join('')
        if (next === undefined || kind === undefined || seen.has(kind)) continue
        seen.add(kind)
        ways.push({ steps: [...way.steps, step], thing: next.thing })
      }
    }
    return ways
  }
}

const now = new Date().toISOString()
const defaults = { currency: 'EUR' }

function creationOf(resource: Resource): Step {
  const operation = resource.operations.find(({ to }) => to === 'nothing')
  assert.ok(operation, `a ${resource.name} can be made`)
  return { operation, params: operation.examples[0] }
}

export const blankOf = (resource: Resource): Thing =>
  resource.blank(resource.kinds.id?.name === 'integer' ? 0 : '', now) as unknown as Thing

export const shownBy = (resource: Resource, thing: Thing): Record<string, unknown> =>
  JSON.parse(resource.toJson(thing as never))

/** What does not depend on when a thing was made and under which id. */
export function lasting({ id, createdAt, updatedAt, deletedAt, links, ...rest }: Record<string, unknown>): object {
  return { ...rest, deleted: (deletedAt ?? null) !== null }
}

/** Examples name people who need not be users. */
const anybody = (params: Params) => ({
  unchecked: Object.values(params).filter((value): value is string => typeof value === 'string'),
})

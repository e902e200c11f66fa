import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Operation } from '../../../src/model/declaration/schema.ts'
import type { Deal } from '../../../src/model/nouns/deal/deal.ts'
import { operationNamed, operationsOnExisting, whyNotNow } from '../../../src/model/schema/resources.ts'
import { deal as dealResource } from '../schema.ts'

const dealOperations = operationsOnExisting(dealResource)
const operations = dealResource.operations

/** A deal in the model, and the operations that make such a deal. The first step creates it. */
export interface Way {
  readonly steps: readonly Step[]
  readonly deal: Deal
}

export interface Step {
  readonly operation: Operation
  readonly params: Params
}

/** The customers that the examples may name; a test makes them first. */
export const customers: ReadonlySet<number> = new Set([1])

const now = new Date().toISOString()

/** What the declaration alone says that a step makes of a deal; nothing when it is not allowed. */
export function after(deal: Deal, { operation, params }: Step): { deal: Deal; params: Params } | undefined {
  if (operation.to !== 'nothing' && whyNotNow(operation, deal, now) !== undefined) return undefined
  const decision = operation.decide(deal, params, {
    now,
    exists: (_resource, id) => customers.has(Number(id)),
    queryFaults: () => [],
  })
  return 'thing' in decision ? { deal: decision.thing as Deal, params: decision.params } : undefined
}

export const isAllowed = (operation: Operation, deal: Deal): boolean => whyNotNow(operation, deal, now) === undefined

export const blank = (): Deal => dealResource.blank('', now)

const create = operationNamed('create', dealResource) as Operation

const stepsOnDeals: readonly Step[] = dealOperations.flatMap((operation) =>
  operation.examples.map((params) => ({ operation, params })),
)

/**
 * Every kind of deal that the declared examples lead to, nearest first: breadth-first, where two deals that allow the
 * same steps count as the same kind. An operation that is added to the list is reached, and is a way, without a word here.
 */
export const ways: readonly Way[] = create.examples.flatMap((params) => {
  const first = { operation: create, params }
  const start = after(blank(), first)
  if (start === undefined) throw new Error('an example of create does not create')
  return explore({ steps: [first], deal: start.deal })
})

function explore(start: Way): readonly Way[] {
  const found: Way[] = [start]
  const seen = new Set([kindOf(start.deal)])
  for (const { steps, deal } of found) {
    for (const step of stepsOnDeals) {
      const made = after(deal, step)
      if (made === undefined || seen.has(kindOf(made.deal))) continue
      seen.add(kindOf(made.deal))
      found.push({ steps: [...steps, step], deal: made.deal })
    }
  }
  return found
}

function kindOf(deal: Deal): string {
  return stepsOnDeals.map((step) => (after(deal, step) === undefined ? '-' : '+')).join('')
}

export const wayTo = (goal: (deal: Deal) => boolean): Way | undefined => ways.find(({ deal }) => goal(deal))

export const live = (deal: Deal): boolean => deal.deletedAt === null

/** An operation with each of its examples, for tests that go through all of them. */
export const allSteps: readonly Step[] = operations.flatMap((operation) =>
  operation.examples.map((params) => ({ operation, params })),
)

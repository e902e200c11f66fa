import type { Reason } from '../values/faults/fault.ts'
import { includesRole } from '../values/role.ts'
import { customer } from './customer/customer.ts'
import { customerOperations } from './customer/operations.ts'
import { deal } from './deal/deal.ts'
import { dealOperations } from './deal/operations.ts'
import { type Operation, valueIn } from './operation.ts'
import { rateOperations } from './rate/operations.ts'
import { rate } from './rate/rate.ts'
import type { Reference, Resource, Thing } from './resource.ts'
import { whyNot } from './rule.ts'
import { taskOperations } from './task/operations.ts'
import { task } from './task/task.ts'
import { viewOperations } from './view/operations.ts'
import { view } from './view/view.ts'

interface Noun {
  readonly resource: Resource
  readonly operations: readonly Operation[]
}

/** Every resource with its operations. */
const nouns = [
  { resource: deal, operations: dealOperations },
  { resource: customer, operations: customerOperations },
  { resource: task, operations: taskOperations },
  { resource: rate, operations: rateOperations },
  { resource: view, operations: viewOperations },
] as unknown as readonly Noun[]

/**
 * Events, commands and deliveries are kept by the id alone: UUIDs never meet, numbers of two resources would.
 * Throws at start what could not be stored. decisions/0002
 */
export function withDistinctIds(declared: readonly Resource[]): readonly Resource[] {
  const [first, second] = declared.filter(({ kinds }) => kinds.id?.name === 'integer')
  if (first === undefined || second === undefined) return declared
  throw new Error(`${first.name} and ${second.name} are both identified by numbers: give ${second.name} a UUID`)
}

export const resources: readonly Resource[] = withDistinctIds(nouns.map(({ resource }) => resource))
export const operations: readonly Operation[] = nouns.flatMap((noun) => noun.operations)

const byName = new Map(nouns.map((noun) => [noun.resource.name, noun]))

function nounNamed(name: string): Noun {
  const noun = byName.get(name)
  if (noun === undefined) throw new Error(`there is no resource ${name}`)
  return noun
}

export const isResource = (name: string): boolean => byName.has(name)
export const resourceNamed = (name: string): Resource => nounNamed(name).resource
export const operationsOn = ({ name }: Pick<Resource, 'name'>): readonly Operation[] => nounNamed(name).operations

/** The operations on a thing that exists. */
export const operationsOnExisting = (resource: Pick<Resource, 'name'>): readonly Operation[] =>
  operationsOn(resource).filter(({ to }) => to !== 'nothing')

const byAction = new Map(operations.map((operation) => [operation.words.action, operation]))

/** Finds an operation by its action (`HoldDeal`) or by its name on the resource (`hold`). */
export function operationNamed(word: unknown, on: Pick<Resource, 'name'>): Operation | undefined {
  if (typeof word !== 'string') return undefined
  return byAction.get(word) ?? operationsOn(on).find(({ name }) => name === word)
}

const byOwnName = Map.groupBy(operations, ({ name }) => name)

/** Finds an operation whose resource is not said: by its action, by its name on a deal, or by a name that no other has. */
export function operationAlone(word: unknown): Operation | undefined {
  const known = operationNamed(word, deal)
  if (known !== undefined || typeof word !== 'string') return known
  const [first, second] = byOwnName.get(word) ?? []
  return second === undefined ? first : undefined
}

/** The words that find an operation so. */
export const wordsAlone: readonly string[] = [
  ...[...byOwnName.keys()].filter((name) => operationAlone(name) !== undefined),
  ...byAction.keys(),
]

/** The actions of one name on several resources. */
export const actionsNamed = (name: string): readonly string[] =>
  (byOwnName.get(name) ?? []).map(({ words }) => words.action)

/** The words that name an operation, for a suggestion. */
export const operationWords = (on: Pick<Resource, 'name'>): readonly string[] => [
  ...operationsOn(on).map(({ name }) => name),
  ...byAction.keys(),
]

const LAST = 1000

/** The operations on existing things, by heading. */
export function operationsByGroup(
  resource: Resource,
): readonly { readonly title: string; readonly operations: readonly Operation[] }[] {
  const all = operationsOnExisting(resource).toSorted((a, b) => (a.rank ?? LAST) - (b.rank ?? LAST))
  const titles = new Set([...(resource.groups ?? []), ...all.map(({ group }) => group)])
  return [...titles].map((title) => ({ title, operations: all.filter(({ group }) => group === title) }))
}

/** A field of another resource that refers to this one. */
export type Referrer = Reference & { readonly from: Resource }

/** Those that keep a thing from being removed. */
export const holdersOf = (resource: Pick<Resource, 'name'>): readonly Referrer[] =>
  referrersOf(resource).filter(({ without }) => without === undefined)

/** The fields of other resources that refer to this one. */
export function referrersOf({ name }: Pick<Resource, 'name'>): readonly Referrer[] {
  return resources.flatMap((from) =>
    from.references.filter(({ to }) => to === name).map((reference) => ({ ...reference, from })),
  )
}

/** The resources in such an order that each comes behind those that it refers to. */
export const referencedFirst: readonly Resource[] = orderByReferences(resources)

function orderByReferences(among: readonly Resource[]): readonly Resource[] {
  const placed: Resource[] = []
  const place = (resource: Resource): void => {
    if (placed.includes(resource)) return
    for (const { to } of resource.references) if (to !== resource.name) place(resourceNamed(to))
    placed.push(resource)
  }
  among.forEach(place)
  return placed
}

/** How things of a resource belong to a thing: it refers to `one` of them by its field, or `many` refer to it by theirs. */
export interface Relation {
  readonly name: string
  readonly kind: 'one' | 'many'
  readonly of: Resource
  readonly field: string
}

/** The relations of a resource, except to resources that need a higher role to be read. */
export function relationsOf(resource: Resource): readonly Relation[] {
  const one = resource.references.map(
    ({ name, field, to }): Relation => ({ name, kind: 'one', of: resourceNamed(to), field }),
  )
  const many = referrersOf(resource).map(
    ({ from, field }): Relation => ({ name: from.plural, kind: 'many', of: from, field }),
  )
  return [...one, ...many].filter(({ of }) => includesRole(resource.roles.reads, of.roles.reads))
}

/** The operations whose rules the thing meets now. */
export function allowedOperations(resource: Resource, thing: Thing, now: string): readonly Operation[] {
  const situation = isDeleted(thing) ? undefined : resource.situation?.(thing)
  if (situation === undefined) return filterAllowed(resource, thing, now)
  // Memoized: every read needs it, and the rules of a live thing depend only on its markings.
  const known = allowedIn.get(resource.name) ?? []
  allowedIn.set(resource.name, known)
  known[situation] ??= filterAllowed(resource, thing, now)
  return known[situation]
}

const allowedIn = new Map<string, (readonly Operation[])[]>()

const filterAllowed = (resource: Resource, thing: Thing, now: string): readonly Operation[] =>
  operationsOnExisting(resource).filter((operation) => whyNotNow(operation, thing, now) === undefined)

/** Why an operation is not allowed now; undefined if it is. */
export function whyNotNow(operation: Operation, thing: Thing, now: string): Reason | undefined {
  if (operation.to === 'deleted' || !isDeleted(thing)) return whyNot(operation.allowed, thing, now)
  return { code: 'deleted', with: { resource: operation.on.name } }
}

export const isDeleted = (thing: object): boolean => (valueIn(thing, 'deletedAt') ?? null) !== null

/** Whether the operation of that action removes its thing permanently. */
export const isRemoval = (action: string): boolean => byAction.get(action)?.removes === true

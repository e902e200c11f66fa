import type { Reason } from '../../values/faults/fault.ts'
import { type Kind, nullable } from '../../values/kinds/kind.ts'
import { instant } from '../../values/kinds/time.ts'
import { includesRole, type Role } from '../../values/role.ts'
import { bySchema } from '../declaration/by-schema.ts'
import { valueIn, whyNot } from '../declaration/operation.ts'
import type { Projection, Reference, Thing } from '../declaration/resource.ts'
import type { Operation, Resource, Schema } from '../declaration/schema.ts'
import type { nouns } from './nouns.ts'

type Declared = (typeof nouns)[number]['resource']

/** The resource of a name, with the types of its declaration if the source declares it. */
export type ResourceOf<N extends string> = N extends Declared['name']
  ? Extract<Declared, { readonly name: N }> & Resource
  : Resource

/** The lists of what the source declares. */
export type Plural = Declared['plural']

export const resourceNamed = <const N extends string>({ byName }: Schema, name: N): ResourceOf<N> => {
  const resource = byName.get(name)
  if (resource === undefined) throw new Error(`there is no resource ${name}`)
  return resource as unknown as ResourceOf<N>
}

/** The operations on a thing that exists. */
export const operationsOnExisting = bySchema(({ operations }: Resource): readonly Operation[] =>
  operations.filter(({ to }) => to !== 'nothing'),
)

/** The operation that makes things of a resource, and the one that deletes them. */
export const creationOf = (resource: Resource): Operation => declared(resource, ({ to }) => to === 'nothing')
export const deletionOf = (resource: Resource): Operation => declared(resource, ({ name }) => name === 'delete')

function declared({ plural, operations }: Resource, is: (operation: Operation) => boolean): Operation {
  const found = operations.find(is)
  if (found === undefined) throw new Error(`${plural} cannot be created or deleted`)
  return found
}

/** Finds an operation by its action (`HoldDeal`) or by its name on the resource (`hold`). */
export function operationNamed(word: unknown, { schema, operations }: Resource): Operation | undefined {
  if (typeof word !== 'string') return undefined
  return schema.byAction.get(word) ?? operations.find(({ name }) => name === word)
}

/** The least role that may ask for an operation. */
export const roleFor = ({ role, on }: Operation): Role => role ?? on.roles.writes

const byOwnName = bySchema(({ operations }: Schema) => Map.groupBy(operations, ({ name }) => name))

/** The resource that is meant if none is named. */
export const unnamedResource = (schema: Schema): Resource => resourceNamed(schema, 'deal')

/** Finds an operation without its resource: by its action, by its name on a deal, or by a unique name. */
export function operationAlone(schema: Schema, word: unknown): Operation | undefined {
  const known = operationNamed(word, unnamedResource(schema))
  if (known !== undefined || typeof word !== 'string') return known
  const [first, second] = byOwnName(schema).get(word) ?? []
  return second === undefined ? first : undefined
}

/** The words that find an operation in this way. */
export const wordsAlone = bySchema((schema: Schema): readonly string[] => [
  ...[...byOwnName(schema).keys()].filter((name) => operationAlone(schema, name) !== undefined),
  ...schema.byAction.keys(),
])

/** The actions of one name on several resources. */
export const actionsNamed = (schema: Schema, name: string): readonly string[] =>
  (byOwnName(schema).get(name) ?? []).map(({ words }) => words.action)

/** The words that name an operation, for a suggestion. */
export const operationWords = ({ operations, schema }: Resource): readonly string[] => [
  ...operations.map(({ name }) => name),
  ...schema.byAction.keys(),
]

const LAST = 1000

/** The operations on existing things, by heading. */
export const operationsByGroup = bySchema(
  (resource: Resource): readonly { readonly title: string; readonly operations: readonly Operation[] }[] => {
    const all = operationsOnExisting(resource).toSorted((a, b) => (a.rank ?? LAST) - (b.rank ?? LAST))
    const titles = new Set([...(resource.groups ?? []), ...all.map(({ group }) => group)])
    return [...titles].map((title) => ({ title, operations: all.filter(({ group }) => group === title) }))
  },
)

/** The members whose value in a new thing depends on the others there: a whole thing without them leaves them. */
export const placedBesideOthers = bySchema(
  ({ operations }: Resource): ReadonlySet<string> =>
    new Set(Object.keys(operations.find(({ to }) => to === 'nothing')?.usual?.({}) ?? {})),
)

/** A field of another resource that refers to this one. */
export type Referrer = Reference & { readonly from: Resource }

/** Those that prevent the removal of a thing. */
export const holdersOf = (resource: Resource): readonly Referrer[] => [
  ...referrersOf(resource).filter(({ without }) => without === undefined),
  ...linksTo(resource),
]

/** The added fields that name things of a resource. They are no relations: nothing is expanded or filtered by them. */
export const linksTo = (resource: Resource): readonly Referrer[] =>
  resource.schema.resources.flatMap((from) =>
    linksOf(from).flatMap(({ field, to }) => (to === resource.name ? [{ field, to, name: field, from }] : [])),
  )

/** Those of a resource. */
export const linksOf = ({ added }: Resource): readonly Pick<Reference, 'field' | 'to'>[] =>
  added.flatMap(({ name: field, field: { kind } }) =>
    kind.refersTo === undefined ? [] : [{ field, to: kind.refersTo }],
  )

/** The fields of other resources that refer to this one. */
export const referrersOf = bySchema(({ name, schema }: Resource): readonly Referrer[] =>
  schema.resources.flatMap((from) =>
    from.references.filter(({ to }) => to === name).map((reference) => ({ ...reference, from })),
  ),
)

/** The resources in an order in which each follows those that it refers to. */
export const referencedFirst = bySchema((schema: Schema): readonly Resource[] => {
  const placed: Resource[] = []
  const place = (resource: Resource): void => {
    if (placed.includes(resource)) return
    for (const { to } of resource.references) if (to !== resource.name) place(resourceNamed(schema, to))
    placed.push(resource)
  }
  schema.resources.forEach(place)
  return placed
})

/** A projection of a resource, whose rows refer to its things by `key`. */
export interface ProjectionOn extends Projection {
  readonly on: Resource
  readonly key: string
}

export const projectionsOf = bySchema((on: Resource): readonly ProjectionOn[] =>
  (on.projections ?? []).map((projection) => ({ ...projection, on, key: `${on.name}Id` })),
)

/** The fields that the projections of a resource add to it: when something began. */
export const sinceKinds = bySchema(
  (resource: Resource): Readonly<Record<string, Kind<string | null>>> =>
    Object.fromEntries(
      projectionsOf(resource).flatMap(({ since = {} }) =>
        Object.keys(since).map((field) => [field, nullable(instant)]),
      ),
    ),
)

/** How things of a resource belong to a thing: it refers to `one` of them by its field, or `many` refer to it by theirs. */
export interface Relation {
  readonly name: string
  readonly kind: 'one' | 'many'
  readonly of: Resource
  readonly field: string
}

/** The relations of a resource, except to resources whose reading needs a higher role. */
export function relationsOf(resource: Resource): readonly Relation[] {
  const one = resource.references.map(
    ({ name, field, to }): Relation => ({ name, kind: 'one', of: resourceNamed(resource.schema, to), field }),
  )
  const many = referrersOf(resource).map(
    ({ from, field }): Relation => ({ name: from.plural, kind: 'many', of: from, field }),
  )
  return [...one, ...many].filter(({ of }) => includesRole(resource.roles.reads, of.roles.reads))
}

/** A field of the thing that another one refers to, such as `customer.phone` of a deal. */
interface RelatedField {
  readonly name: string
  readonly of: Resource
  readonly relation: string
  /** The field that refers to it. */
  readonly through: string
}

/** The related field that a name in filters means; undefined if it is one of the thing itself. */
export function relatedField({ references, schema }: Resource, field: string): RelatedField | undefined {
  const found = references.find(({ name }) => field.startsWith(`${name}.`))
  if (found === undefined) return undefined
  const { name: relation, to, field: through } = found
  return { name: field.slice(relation.length + 1), of: resourceNamed(schema, to), relation, through }
}

/** The operations whose rules the thing meets now. */
export function allowedOperations(resource: Resource, thing: Thing, now: string): readonly Operation[] {
  const situation = isDeleted(thing) ? undefined : resource.situation?.(thing)
  if (situation === undefined) return filterAllowed(resource, thing, now)
  // Every read needs it, and the rules of a live thing depend only on its markings.
  const known = allowedIn(resource)
  known[situation] ??= filterAllowed(resource, thing, now)
  return known[situation]
}

const allowedIn = bySchema((_resource: Resource): (readonly Operation[])[] => [])

const filterAllowed = (resource: Resource, thing: Thing, now: string): readonly Operation[] =>
  operationsOnExisting(resource).filter((operation) => whyNotNow(operation, thing, now) === undefined)

/** Why an operation is not allowed now; undefined if it is. */
export function whyNotNow(operation: Operation, thing: Thing, now: string): Reason | undefined {
  if (operation.to === 'deleted' || !isDeleted(thing)) return whyNot(operation.allowed, thing, now)
  return { code: 'deleted', with: { resource: operation.on.name } }
}

export const isDeleted = (thing: object): boolean => (valueIn(thing, 'deletedAt') ?? null) !== null

/** Whether an operation deletes its thing, permanently or until it is restored. */
export const isDeletion = ({ changes, to, removes }: Operation): boolean =>
  removes === true || (to === undefined && changes.includes('deletedAt'))

/** Whether an operation of the resource removes its thing permanently. */
export const isRemoval = ({ operations }: Resource, name: string): boolean =>
  operations.find((each) => each.name === name)?.removes === true

import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Operation, Resource, Schema } from '../../model/declaration/schema.ts'
import { roleNeeded } from '../../model/intent/caller.ts'
import { isDeletion, type Relation } from '../../model/schema/resources.ts'
import { type Collection, type CollectionField, filterable } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { type Grouped, grouped } from '../../values/json/places.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { text } from '../../values/kinds/text.ts'
import { type Member, optional, required } from '../../values/members.ts'
import type { Role } from '../../values/role.ts'
import { writeWords } from '../contract/write.ts'

// The words of the interface, once. Each description of it, such as OpenAPI, GraphQL, CSDL or a list of tools, writes this in
// the words of its protocol. decisions/0073

/** The shape, actions and listing of a resource. */
export interface Described {
  readonly resource: Resource
  readonly shape: Shape
  readonly listing: Listing
  readonly actions: readonly Action[]
}

/** The members of a thing, by their places. */
export type Shape = Grouped<ShapeMember>

export interface ShapeMember {
  readonly kind: Kind<unknown>
  /** Set by the service, never by a change. */
  readonly isAssigned: boolean
}

/** An operation with its arguments, for protocols that have one object of them. */
export interface Action {
  readonly operation: Operation
  /** The id of the thing, unless it is made, and the parameters. */
  readonly takes: readonly Argument[]
  /** The same by their places. */
  readonly places: Grouped<Argument>
  /** The least role that may do it. */
  readonly needs: Role
  /** The thing that is there afterwards. */
  readonly leaves: 'thing' | 'deleted thing' | 'nothing'
}

export interface Argument extends Member<unknown> {
  readonly name: string
}

/** A list, and what it can be asked for. */
export interface Listing {
  readonly collection: Collection
  /** The fields that its filters name. Those of referenced things are in the listings of these. */
  readonly filters: readonly CollectionField[]
  /** The same by their places. */
  readonly places: Grouped<CollectionField>
  /** The relations to one thing, through which filters reach its fields. */
  readonly references: readonly Relation[]
}

/** Everything that has doors. */
export const vocabularyOf = bySchema((schema: Schema): readonly Described[] =>
  schema.resources.map((resource) => ({
    resource,
    shape: shapeOf(resource),
    listing: listingOf(collectionOf(resource)),
    actions: resource.operations.map(actionOf),
  })),
)

export const shapeOf = bySchema(
  ({ fields }: Resource): Shape =>
    grouped(Object.entries(fields).map(([name, { kind, by }]) => [name, { kind, isAssigned: by === 'service' }])),
)

export const actionOf = bySchema((operation: Operation): Action => {
  const { on, to, params, removes } = operation
  const takes = [
    ...(to === 'nothing' ? [] : [{ name: 'id', ...required(idKind(on)) }]),
    ...Object.entries(params).map(([name, member]) => ({ name, ...member })),
  ]
  return {
    operation,
    takes,
    places: byPlace(takes),
    needs: roleNeeded(on, operation),
    leaves: removes ? 'nothing' : isDeletion(operation) ? 'deleted thing' : 'thing',
  }
})

export const listingOf = bySchema((collection: Collection): Listing => {
  const filters = filterable(collection).filter(({ through }) => through === undefined)
  const references = [...collection.relations.values()].filter(({ kind }) => kind === 'one')
  return { collection, filters, places: byPlace(filters), references }
})

export const byPlace = <T extends { readonly name: string }>(all: readonly T[]): Grouped<T> =>
  grouped(all.map((each) => [each.name, each]))

export const idKind = ({ kinds }: Resource): Kind<unknown> => kinds.id as Kind<unknown>

const words: { readonly [word in (typeof writeWords)[number]]: Kind<unknown> } = {
  commandId: text({ min: 0, max: 128 }),
  // The largest that every protocol has a type for.
  expectedRevision: integer({ min: 1, max: 2 ** 31 - 1 }),
  dryRun: boolean,
}

/** The arguments of every action: those that speak of the write itself. */
export const wordArguments: readonly Argument[] = writeWords.map((name) => ({ name, ...optional(words[name]) }))

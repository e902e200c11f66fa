import { type GraphQLFieldConfig, GraphQLID, GraphQLInt, GraphQLObjectType, GraphQLString } from 'graphql'
import { findLive } from '../../../http/ask/find.ts'
import { wrongParameter } from '../../../http/contract/problems/problem.ts'
import { idKind, type Shape, shapeOf } from '../../../http/describe/vocabulary.ts'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { Relation } from '../../../model/schema/resources.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { collectionOf } from '../../../queries/collections.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { answerBounds } from '../../../values/bounds.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { oneThing, relatedPage } from './costs.ts'
import { filterType } from './filters.ts'
import { fieldTypeOf, needed, readId, wholeTypeOf } from './kind-types.ts'
import { connect, connectionType, countOf, NEGATIVE, type RelayConnection } from './lists.ts'
import { readThingDocument } from './related.ts'

/** The types of a resource: one thing, and a page of them. */
export interface ThingTypes {
  readonly resource: Resource
  readonly collection: Collection
  readonly thing: GraphQLObjectType
  readonly connection: GraphQLObjectType
}

type ThingField = GraphQLFieldConfig<DataObject, GraphqlContext>

/** The types of a resource; those of related things refer to each other. */
export const typesOf = bySchema((resource: Resource): ThingTypes => {
  const collection = collectionOf(resource)
  const thing = new GraphQLObjectType<DataObject, GraphqlContext>({
    name: pascalCase(resource.name),
    fields: () => ({ ...ownFields(resource), ...relatedFields(collection) }),
  })
  return { resource, collection, thing, connection: connectionType(collection, thing) }
})

const ownFields = bySchema((resource: Resource): { readonly [name: string]: ThingField } => {
  const { plain, groups } = shapeOf(resource)
  return Object.fromEntries<ThingField>([
    ...plain.map(
      ({ name, member: { kind } }) =>
        [name, name === 'id' ? ownId : { type: typeIn(name, kind, resource.schema) }] as const,
    ),
    ...groups.map((group) => [group.name, { type: needed(groupType(resource, group)) }] as const),
  ])
})

/** The thing that a dry run would make: it has no id, and no relations. */
export const draftOf = bySchema((resource: Resource): GraphQLObjectType => {
  const { id: _, ...fields } = ownFields(resource)
  return new GraphQLObjectType<DataObject, GraphqlContext>({ name: `${pascalCase(resource.name)}Draft`, fields })
})

/** A group of a thing's members, such as its own fields. */
const groupType = ({ name: of, schema }: Resource, { name, places }: Shape['groups'][number]): GraphQLObjectType =>
  new GraphQLObjectType<DataObject>({
    name: pascalCase(of) + pascalCase(name),
    fields: Object.fromEntries(
      places.map(({ key, name, member: { kind } }) => [key, { type: wholeTypeOf(name, kind, schema) }]),
    ),
  })

const typeIn = (name: string, kind: Kind<unknown>, schema: Schema) =>
  kind.nullable ? fieldTypeOf(name, kind, schema) : needed(fieldTypeOf(name, kind, schema))

const ownId: ThingField = { type: needed(GraphQLID) }

const relatedFields = ({ relations }: Collection): { readonly [name: string]: ThingField } =>
  Object.fromEntries(
    [...relations.values()].map((relation) => [
      relation.name,
      relation.kind === 'one' ? referenceField(relation) : referrersField(relation),
    ]),
  )

const referenceField = (relation: Relation): ThingField => ({
  type: typesOf(relation.of).thing,
  extensions: { estimate: oneThing },
  resolve: async (source, _args, { related }) => {
    const key = source[relation.field] ?? null
    return key === null ? null : ((await related(relation, key as Key))[0] ?? null)
  },
})

/**
 * The things that refer to one. First pages of the latest are read together for neighbours, others separately.
 */
const referrersField = (relation: Relation): ThingField => ({
  type: typesOf(relation.of).connection,
  description: `Its ${relation.of.plural}, at most ${answerBounds.related} of them.`,
  args: {
    first: { type: GraphQLInt },
    after: { type: GraphQLString },
    where: { type: filterType(typesOf(relation.of).collection) },
    orderBy: { type: GraphQLString, description: 'As in sort; the latest first without it.' },
  },
  extensions: { estimate: relatedPage(answerBounds.related) },
  resolve: async (source, { first, after, where, orderBy }, { related, call }): Promise<RelayConnection | Error> => {
    const size = first ?? answerBounds.related
    if (size < 0) return problemError(wrongParameter('first', NEGATIVE))
    const { collection } = typesOf(relation.of)
    const key = (source.id ?? null) as Key | null
    const shown = Math.min(size, answerBounds.related)
    if (key !== null && [after, where, orderBy].some((each) => (each ?? null) !== null)) {
      const theirs = { [relation.field]: { eq: key } }
      const both = (where ?? null) === null ? theirs : { and: [theirs, where] }
      const order = orderBy ?? `-${collection.key}`
      return connect(collection, { first: shown, after, where: both, orderBy: order }, call)
    }
    const found = key === null ? [] : await related(relation, key)
    return {
      collection,
      sort: [{ field: fieldOf(collection, collection.key), descending: true }],
      nodes: found.slice(0, shown),
      hasMore: found.length > shown,
      hasLess: false,
      total: async () => (key === null ? 0 : countOf(collection, { filter: { [relation.field]: key } }, call)),
    }
  },
})

/** `deal(id)`: null with the problem if there is none. */
export const thingField = ({ resource, thing }: ThingTypes): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type: thing,
  args: { id: { type: needed(GraphQLID) } },
  extensions: { estimate: oneThing },
  resolve: async (_source, { id }, { call }) => {
    const found = await findLive(resource, readId(idKind(resource), id), call)
    return 'problem' in found ? problemError(found.problem) : readThingDocument(found.thing.json)
  },
})

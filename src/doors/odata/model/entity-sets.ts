import { shapeOf } from '../../../http/describe/vocabulary.ts'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Operation, Resource, Schema } from '../../../model/declaration/schema.ts'
import type { Relation } from '../../../model/schema/resources.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { collectionOf, collectionsOf } from '../../../queries/collections.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { onceFor } from '../../../values/memoize.ts'
import { type EdmType, isCollection, isWide, type Member, NAMESPACE, plainText } from './edm.ts'
import { edmOf } from './structures.ts'

/** A collection as an entity set; `resource` is absent if it can only be read. */
export interface EntitySet {
  readonly name: string
  /** The name of its entity type. */
  readonly type: string
  readonly collection: Collection
  readonly resource?: Resource
  readonly key: string
  readonly properties: ReadonlyMap<string, Member>
  /** Operations as actions: bound to an entity, or to the set for creations. */
  readonly actions: ReadonlyMap<string, Operation>
}

/** The entity set of a resource. */
export const setOf = bySchema(
  (resource: Resource): EntitySet => ({
    name: pascalCase(resource.plural),
    type: pascalCase(resource.name),
    collection: collectionOf(resource),
    resource,
    key: 'id',
    properties: new Map([
      ...shapeOf(resource).plain.map(({ name, member: { kind, isAssigned } }): [string, Member] => [
        name,
        propertyOf(edmOf(kind, resource.name, name), kind.nullable, isAssigned),
      ]),
      ...[...groupsIn(resource).keys()].map((group): [string, Member] => [
        group,
        { type: groupType(resource, group), facets: {}, nullable: false, computed: false },
      ]),
    ]),
    actions: new Map(resource.operations.map((operation) => [pascalCase(operation.name), operation])),
  }),
)

/** The full name of the type of a group of a thing's members. */
export const groupType = ({ name }: Resource, group: string): string =>
  `${NAMESPACE}.${pascalCase(name)}${pascalCase(group)}`

/** The groups of the members of things, such as their own fields, with the properties in them. */
export const groupsIn = bySchema(
  (resource: Resource): ReadonlyMap<string, ReadonlyMap<string, Member>> =>
    new Map(
      shapeOf(resource).groups.map(({ name: group, places }) => [
        group,
        new Map(places.map(({ key, member: { kind } }) => [key, propertyOf(edmOf(kind, group, key), true, false)])),
      ]),
    ),
)

/** A collection is empty instead of null. */
const propertyOf = (edm: EdmType, nullable: boolean, computed: boolean): Member => ({
  ...edm,
  nullable: nullable && !isCollection(edm),
  computed,
})

/** The fields of a set's things whose values are collections; those in groups by their paths. */
export const listNamesOf = onceFor(
  ({ resource, properties }: EntitySet): ReadonlySet<string> =>
    new Set([
      ...listsIn(properties),
      ...[...(resource ? groupsIn(resource) : [])].flatMap(([group, members]) =>
        listsIn(members).map((name) => `${group}.${name}`),
      ),
    ]),
)

const listsIn = (properties: ReadonlyMap<string, Member>): readonly string[] =>
  [...properties].flatMap(([name, property]) => (isCollection(property) ? [name] : []))

/** The name of a unique field as an alternate key. */
export const aliasOf = (field: string): string => field.replace('.', '_')

/** The members of an event that have one value each; `data` differs with its type. */
export const EVENT_DATA = `${NAMESPACE}.EventData`
export const eventDataIn = bySchema((schema: Schema): ReadonlyMap<string, Member> => {
  const { events, history } = collectionsOf(schema)
  return new Map(
    (['operation', 'revision', 'actor', 'key', 'form', 'commandId'] as const).map((name) => {
      const { kind } = fieldOf(name === 'key' ? events : history, name)
      return [name, propertyOf(edmOf(kind, 'event', name), true, true)]
    }),
  )
})

/** Whether a property has members. */
export const isComplex = ({ properties }: EntitySet, property: string): boolean =>
  properties.get(property)?.type.startsWith(`${NAMESPACE}.`) === true

/** The members of a complex property: a group of a thing's members, or the data of an event. */
export const membersIn = ({ resource }: EntitySet, property: string, schema: Schema): ReadonlyMap<string, Member> =>
  resource === undefined ? eventDataIn(schema) : (groupsIn(resource).get(property) ?? new Map())

function eventSet(schema: Schema): EntitySet {
  const { events: collection } = collectionsOf(schema)
  const shown = collection.columns.map((name): [string, Member] => {
    if (name === 'data') return [name, { type: EVENT_DATA, facets: {}, nullable: true, computed: true }]
    const kind = collection.structured.includes(name) ? undefined : fieldOf(collection, name).kind
    return [name, propertyOf(kind === undefined ? plainText : edmOf(kind, 'event', name), kind?.nullable ?? true, true)]
  })
  return {
    ...{ name: 'Events', type: 'Event', collection, key: collection.key },
    properties: new Map(shown),
    actions: new Map(),
  }
}

/** The full name of the type of a set's entities. */
export const typeNamed = ({ type }: Pick<EntitySet, 'type'>): string => `${NAMESPACE}.${type}`

/** The navigations of an entity are the relations of its collection. */
export const navigationsOf = ({ collection }: EntitySet): readonly Relation[] => [...collection.relations.values()]

/** Every entity set by its name. */
export const entitySetsIn = bySchema(
  (schema: Schema): ReadonlyMap<string, EntitySet> =>
    new Map([...schema.resources.map(setOf), eventSet(schema)].map((set) => [set.name, set])),
)

/** The names of numbers that a double may not hold; each means the same in every entity type. */
export const wideNamesIn = bySchema(
  (schema: Schema): ReadonlySet<string> =>
    new Set(
      [...entitySetsIn(schema).values()].flatMap(({ properties }) =>
        [...properties].filter(([, property]) => isWide(property)).map(([name]) => name),
      ),
    ),
)

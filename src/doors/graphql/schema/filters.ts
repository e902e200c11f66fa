import {
  GraphQLBoolean,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLString,
} from 'graphql'
import { byPlace, type Listing, listingOf } from '../../../http/describe/vocabulary.ts'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { Collection } from '../../../queries/collection.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { occurrences } from '../../../queries/like-pattern.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { groupOf } from '../../../values/json/places.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { fieldTypeOf, type KindType, listOf } from './kind-types.ts'

/** The comparisons that search text. */
export const textComparisons: readonly string[] = [...occurrences, 'ilike', 'regex']

/** The filter of a collection, as in JSON. */
export const filterType = bySchema((collection: Collection) =>
  filterOf(`${pascalCase(collection.item)}Filter`, listingOf(collection)),
)

/** Filters on the fields of a related thing. */
const relatedFilterType = bySchema((collection: Collection) => {
  const shown = listingOf(collection).filters.filter(({ hidden }) => !hidden)
  const places = byPlace(shown)
  return filterOf(`${pascalCase(collection.item)}RelatedFilter`, { collection, places, references: [] })
})

function filterOf(
  name: string,
  { collection, places: { plain, groups }, references }: Omit<Listing, 'filters'>,
): GraphQLInputObjectType {
  const { schema } = collection
  const own = Object.fromEntries([
    ...plain.map(({ name, member: { kind } }) => [name, { type: comparisonsIn(name, kind, schema) }] as const),
    ...[...groupFilters(collection)].filter(([name]) => groups.some((group) => group.name === name)),
  ])
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    description: 'All members hold.',
    fields: () => ({
      and: { type: listOf(type) },
      or: { type: listOf(type) },
      not: { type, description: 'Whatever it does not match, nulls included.' },
      ...own,
      ...Object.fromEntries(references.map(({ name, of }) => [name, { type: relatedFilterType(collectionOf(of)) }])),
    }),
  })
  return type
}

/** Filters on the members of groups, such as a thing's own fields. */
const groupFilters = bySchema(
  (collection: Collection): ReadonlyMap<string, GraphQLInputFieldConfig> =>
    new Map(
      listingOf(collection).places.groups.map(({ name, places }) => [
        name,
        { type: groupFilterOf(`${pascalCase(collection.item)}${pascalCase(name)}Filter`, places, collection.schema) },
      ]),
    ),
)

const groupFilterOf = (name: string, places: Listing['places']['groups'][number]['places'], schema: Schema) =>
  new GraphQLInputObjectType({
    name,
    description: 'All members hold.',
    fields: Object.fromEntries(
      places.map(({ key, name, member: { kind } }) => [key, { type: comparisonsIn(name, kind, schema) }]),
    ),
  })

const comparisonsIn = (name: string, kind: Kind<unknown>, schema: Schema): GraphQLInputObjectType =>
  kind.namesUser ? ofPersons(schema) : comparisonsOf(fieldTypeOf(name, kind, schema))

/** Those of texts, and whether they name nobody. */
const ofPersons = bySchema(
  (_schema: Schema) =>
    new GraphQLInputObjectType({
      name: 'PersonFilter',
      fields: { ...comparisonsOf(GraphQLString).toConfig().fields, unknown: { type: GraphQLBoolean } },
    }),
)

/** The comparisons of values of a type. */
const comparisonsOf = bySchema((of: KindType) => {
  const one = { type: of }
  return new GraphQLInputObjectType({
    name: `${of.name}Filter`,
    fields: {
      ...{ eq: one, ne: one, in: { type: new GraphQLList(of) } },
      ...(of !== GraphQLBoolean && { gt: one, gte: one, lt: one, lte: one }),
      ...(of === GraphQLString && Object.fromEntries(textComparisons.map((name) => [name, { type: GraphQLString }]))),
      null: { type: GraphQLBoolean },
    },
  })
})

/** The same filter in JSON, where a field of a related thing is named by its path. */
export function jsonFilterOf(collection: Collection, where: unknown, path = ''): unknown {
  if (!isObject(where)) return where
  const all: unknown[] = []
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(where)) {
    const relation = path === '' ? collection.relations.get(name) : undefined
    const within = (each: unknown): unknown => jsonFilterOf(collection, each, path)
    if (name === 'not') own[name] = within(value)
    else if (name === 'and' || name === 'or') own[name] = Array.isArray(value) ? value.map(within) : value
    else if (isObject(value) && groupsIn(collection).has(path + name)) {
      const compared = ([each, value]: [string, unknown]) =>
        [each, comparisonIn(collection, `${path}${name}.${each}`, value)] as const
      own[path + name] = Object.fromEntries(Object.entries(value).map(compared))
    } else if (relation !== undefined) all.push(jsonFilterOf(collection, value, `${name}.`))
    else own[path + name] = comparisonIn(collection, path + name, value)
  }
  return all.length === 0 ? own : { and: [own, ...all] }
}

/** The names of the groups that have filters, those of related things too. */
const groupsIn = bySchema(({ fields }: Collection): ReadonlySet<string> => {
  const prefixes = [...fields.values()].map(({ name, through }) => {
    const group = groupOf(through?.field.name ?? name)
    return group === '' || through === undefined ? group : `${groupOf(name)}.${group}`
  })
  return new Set(prefixes.filter((prefix) => prefix !== ''))
})

function comparisonIn(collection: Collection, name: string, value: unknown): unknown {
  const field = collection.fields.get(name)
  if (field === undefined || field.kind.name !== 'integer' || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([word, each]) => [word, numberIn(each)]))
}

/** An ID is a text: the number in it, with each of its digits and its sign. */
function numberIn(id: unknown): unknown {
  if (Array.isArray(id)) return id.map(numberIn)
  return typeof id === 'string' && /^-?(0|[1-9]\d*)$/.test(id) ? JSON.rawJSON(id) : id
}

import {
  type GraphQLFieldConfig,
  GraphQLID,
  type GraphQLNullableType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import { searchThings } from '../../../http/ask/search-things.ts'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { mutationName } from '../../kit/declaring.ts'
import { aggregatesField } from './aggregates.ts'
import { changeField, upsertField } from './changes.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { scan } from './costs.ts'
import { listOf, needed } from './kind-types.ts'
import { listField } from './lists.ts'
import { DateTime } from './scalars.ts'
import { thingField, typesOf } from './things.ts'

const always = <T extends GraphQLNullableType>(type: T) => ({ type: needed(type) })

const searchField = ({ resources }: Schema): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type: listOf(
    new GraphQLObjectType({
      name: 'SearchResult',
      fields: {
        type: { ...always(GraphQLString), description: [...resources.map(({ name }) => name), 'person'].join(', ') },
        ...{ id: always(GraphQLID), name: always(GraphQLString), match: always(GraphQLString) },
        ...{ updatedAt: { type: DateTime }, href: always(GraphQLString) },
      },
    }),
  ),
  description: 'Things of every kind in which every word occurs, best first.',
  args: { q: always(GraphQLString) },
  extensions: { estimate: scan },
  resolve: async (_source, { q }, { call }) => {
    const searched = await searchThings(q, call)
    return 'problem' in searched ? problemError(searched.problem) : searched.found
  },
})

/** The types of GraphQL that follow from a schema. */
export const graphqlSchema = bySchema((schema: Schema) => {
  const things = schema.resources.map(typesOf)
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        ...Object.fromEntries(
          things.flatMap((types) => [
            [types.resource.name, thingField(types)],
            [types.resource.plural, listField(types.collection, types.connection)],
            [`${types.resource.name}Aggregates`, aggregatesField(types.collection)],
          ]),
        ),
        search: searchField(schema),
      },
    }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: Object.fromEntries([
        ...schema.operations.map((operation) => [mutationName(operation), changeField(operation)] as const),
        ...schema.resources
          .filter(({ uniques }) => uniques.length > 0)
          .map((resource) => [`upsert${pascalCase(resource.name)}`, upsertField(resource)] as const),
      ]),
    }),
  })
})

import { bySchema } from '../model/declaration/by-schema.ts'
import type { Schema } from '../model/declaration/schema.ts'
import { declaredQueries, type NamedQueryDeclaration } from '../model/schema/named-queries.ts'
import type { Json } from '../values/json/json.ts'
import { type Kind, readFilter } from '../values/kinds/kind.ts'
import { type Collection, fieldOf } from './collection.ts'
import { collectionNamed } from './collections.ts'
import type { Filter, SortTerm, Term, Value } from './query.ts'
import { withKey } from './sort.ts'

/** A query with a name and one parameter: `/query/{name}/{parameter}`. */
export interface NamedQuery {
  readonly name: string
  readonly title: string
  readonly collection: Collection
  readonly parameter: { readonly name: string; readonly kind: Kind<unknown>; readonly example: Json }
  scope(value: Value): Filter
  readonly sort: readonly SortTerm[]
  /** The collection whose items give example values. */
  readonly seenOn: Collection
  /** A parameter that finds at least this item; undefined if none does. */
  fitting(item: Item): Json | undefined
}

type Item = { readonly [name: string]: unknown }

/** The named queries. */
export const namedQueries = bySchema((schema: Schema): readonly NamedQuery[] =>
  declaredQueries.map((each) => namedQuery(schema, each)),
)

function namedQuery(schema: Schema, { parameter, besides, sort, ...rest }: NamedQueryDeclaration): NamedQuery {
  const collection = collectionNamed(schema, rest.collection)
  const { of, compares = 'eq', seenOn = [rest.collection, of], fitting } = parameter
  const { kind } = fieldOf(collection, of)
  const first: readonly SortTerm[] = sort === undefined ? [] : [{ field: fieldOf(collection, sort), descending: false }]
  const term = (name: string, operator: 'eq' | 'lt', value: Value): Term => ({
    field: fieldOf(collection, name),
    operator,
    values: [value],
  })
  return {
    ...rest,
    collection,
    parameter: { name: parameter.name, kind, example: parameter.example },
    scope: (value) => [...(besides ? [term(besides[0], 'eq', besides[1])] : []), term(of, compares, value)],
    sort: withKey(collection, first),
    seenOn: collectionNamed(schema, seenOn[0]),
    fitting(item) {
      const seen = item[seenOn[1]]
      if (besides !== undefined && item[besides[0]] !== besides[1]) return undefined
      if (typeof seen !== 'string' && typeof seen !== 'number') return undefined
      const value = fitting === undefined ? seen : fitting(seen)
      return 'value' in readFilter(kind, String(value)) ? value : undefined
    },
  }
}

import { type Json, type Kind, readFilter } from '../values/kinds/kind.ts'
import { type Collection, fieldOf } from './collection.ts'
import type { Filter, SortTerm, Term, Value } from './query.ts'
import { withKey } from './sort.ts'

/** A result that is asked by its name and one value: `/query/{name}/{parameter}`. */
export interface NamedQuery {
  readonly name: string
  readonly title: string
  readonly collection: Collection
  readonly parameter: { readonly name: string; readonly kind: Kind<unknown>; readonly example: Json }
  scope(value: Value): Filter
  readonly sort: readonly SortTerm[]
  /** The collection whose items tell which values lead somewhere. */
  readonly seenOn: Collection
  /** A value that finds at least this item; nothing where none does. */
  fitting(item: Item): Json | undefined
}

type Item = { readonly [name: string]: unknown }

export interface NamedQueryDeclaration extends Pick<NamedQuery, 'name' | 'title' | 'collection'> {
  readonly parameter: {
    readonly name: string
    /** The field that is compared, whose kind the parameter has. */
    readonly of: string
    readonly compares?: 'eq' | 'lt'
    readonly example: Json
    /** Where the value is seen, if not on the very field. */
    readonly seenOn?: readonly [Collection, field: string]
    /** Makes a parameter that fits of a value that was seen, where they differ. */
    readonly fitting?: (seen: Value) => Value
  }
  /** A field and the value that it has besides. */
  readonly besides?: readonly [field: string, value: Value]
  /** Comes before the key. */
  readonly sort?: string
}

export function defineNamedQuery({ parameter, besides, sort, ...rest }: NamedQueryDeclaration): NamedQuery {
  const { collection } = rest
  const { of, compares = 'eq', seenOn = [collection, of], fitting } = parameter
  const { kind } = fieldOf(collection, of)
  const first: readonly SortTerm[] = sort === undefined ? [] : [{ field: fieldOf(collection, sort), descending: false }]
  const term = (name: string, operator: 'eq' | 'lt', value: Value): Term => ({
    field: fieldOf(collection, name),
    operator,
    values: [value],
  })
  return {
    ...rest,
    parameter: { name: parameter.name, kind, example: parameter.example },
    scope: (value) => [...(besides ? [term(besides[0], 'eq', besides[1])] : []), term(of, compares, value)],
    sort: withKey(collection, first),
    seenOn: seenOn[0],
    fitting(item) {
      const seen = item[seenOn[1]]
      if (besides !== undefined && item[besides[0]] !== besides[1]) return undefined
      if (typeof seen !== 'string' && typeof seen !== 'number') return undefined
      const value = fitting === undefined ? seen : fitting(seen)
      return 'value' in readFilter(kind, String(value)) ? value : undefined
    },
  }
}

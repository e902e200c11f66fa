import type { Json, Kind } from '../values/kind.ts'
import { type Collection, fieldOf } from './collection.ts'
import type { Filter, Operator, SortTerm, Term, Value } from './query.ts'
import { defaultSort } from './sort.ts'

/** A result that is asked by its name and one value: `/query/{name}/{parameter}`. */
export interface NamedQuery {
  readonly name: string
  readonly title: string
  readonly collection: Collection
  readonly parameter: { readonly name: string; readonly kind: Kind<unknown>; readonly example: Json }
  scope(value: Value): Filter
  readonly sort: readonly SortTerm[]
}

interface Declaration extends Omit<NamedQuery, 'parameter' | 'scope' | 'sort'> {
  /** The field whose kind the parameter has. */
  readonly parameter: { readonly name: string; readonly of: string; readonly example: Json }
  readonly where: (value: Value) => readonly (readonly [field: string, operator: Operator, value: Value])[]
  /** Comes before the key. */
  readonly sort?: string
}

export function defineNamedQuery({ parameter, where, sort, ...rest }: Declaration): NamedQuery {
  const { collection } = rest
  const first: readonly SortTerm[] = sort === undefined ? [] : [{ field: fieldOf(collection, sort), descending: false }]
  return {
    ...rest,
    parameter: {
      name: parameter.name,
      kind: fieldOf(collection, parameter.of).kind,
      example: parameter.example,
    },
    scope: (value) =>
      where(value).map(
        ([name, operator, each]): Term => ({ field: fieldOf(collection, name), operator, values: [each] }),
      ),
    sort: [...first, ...defaultSort(collection)],
  }
}

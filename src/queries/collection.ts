import type { Kind } from '../values/kinds/kind.ts'

/** A collection as it can be asked: its fields, declared once for every dialect, store and representation. */
export interface Collection<N extends CollectionName = CollectionName> {
  readonly name: N
  /** What one item is called, in XML and on pages. */
  readonly item: string
  /** In the order in which an item shows them. */
  readonly fields: ReadonlyMap<string, CollectionField>
  /** The members of an item, as a table shows them. */
  readonly columns: readonly string[]
  /** Identifies an item: the bounds `gt lt min max` are on it, it is the default sort and breaks ties. */
  readonly key: string
  /** Members that an item shows but that hold more than one value: they can be chosen, not filtered by. */
  readonly structured: readonly string[]
  /** Equalities that hold unless the query says something of their field. */
  readonly defaults: ReadonlyMap<string, boolean>
  /** In the default sort, `after` takes the key itself, as clients know it. */
  readonly keyIsCursor: boolean
}

export interface CollectionField {
  readonly name: string
  readonly kind: Kind<unknown>
  /** A sort on it is answered from an index, from the first page to the last. */
  readonly indexed: boolean
  /** Stands outside the item: it is not shown, and not sorted by. */
  readonly hidden: boolean
  /** Whether a query may name it; a scope may name any. */
  readonly filterable: boolean
}

export type CollectionName = string

type FieldKinds = { readonly [name: string]: Kind<unknown> }

interface CollectionDeclaration<N extends CollectionName> extends Pick<Collection<N>, 'name' | 'item' | 'key'> {
  readonly fields: FieldKinds
  readonly indexed: readonly string[]
  /** Can be filtered by, but is not shown. */
  readonly hidden?: FieldKinds
  /** Can be scoped by only. */
  readonly scopes?: FieldKinds
  readonly structured?: readonly string[]
  readonly defaults?: { readonly [name: string]: boolean }
  readonly keyIsCursor?: boolean
}

export function defineCollection<N extends CollectionName>(declaration: CollectionDeclaration<N>): Collection<N> {
  const { name, item, key, fields, indexed, hidden = {}, scopes = {} } = declaration
  const field = (as: Pick<CollectionField, 'hidden' | 'filterable'>) => (entry: [string, Kind<unknown>]) =>
    [entry[0], { name: entry[0], kind: entry[1], indexed: indexed.includes(entry[0]), ...as }] as const
  return {
    name,
    item,
    key,
    fields: new Map([
      ...Object.entries(fields).map(field({ hidden: false, filterable: true })),
      ...Object.entries(hidden).map(field({ hidden: true, filterable: true })),
      ...Object.entries(scopes).map(field({ hidden: true, filterable: false })),
    ]),
    columns: [...Object.keys(fields), ...(declaration.structured ?? [])],
    structured: declaration.structured ?? [],
    defaults: new Map(Object.entries(declaration.defaults ?? {})),
    keyIsCursor: declaration.keyIsCursor ?? false,
  }
}

/** A field that the collection is known to have. */
export function fieldOf(collection: Collection, name: string): CollectionField {
  const field = collection.fields.get(name)
  if (field === undefined) throw new Error(`${collection.name} has no field ${name}`)
  return field
}

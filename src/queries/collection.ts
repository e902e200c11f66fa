import type { Kind } from '../values/kinds/kind.ts'

/** A queryable collection: its fields are declared once for every dialect, store and representation. */
export interface Collection<N extends CollectionName = CollectionName> {
  readonly name: N
  /** The name of one item, in XML and on pages. */
  readonly item: string
  /** In the order of an item's members. */
  readonly fields: ReadonlyMap<string, CollectionField>
  /** The columns of a table of items. */
  readonly columns: readonly string[]
  /** Identifies an item; `gt`, `lt`, `min` and `max` compare it, it is the default sort and breaks ties. */
  readonly key: string
  /** Members with more than one value: `fields` can name them, filters cannot. */
  readonly structured: readonly string[]
  /** Filters for equality that apply unless the query filters by their field. */
  readonly defaults: ReadonlyMap<string, boolean>
  /** In the default sort, `after` takes the plain key. */
  readonly keyIsCursor: boolean
}

export interface CollectionField {
  readonly name: string
  readonly kind: Kind<unknown>
  /** A sort by it uses an index on every page. */
  readonly indexed: boolean
  /** Not a member of the item: it is neither shown nor sorted by. */
  readonly hidden: boolean
  /** Whether a query may filter by it; a scope may filter by any field. */
  readonly filterable: boolean
}

export type CollectionName = string

type FieldKinds = { readonly [name: string]: Kind<unknown> }

interface CollectionDeclaration<N extends CollectionName> extends Pick<Collection<N>, 'name' | 'item' | 'key'> {
  readonly fields: FieldKinds
  readonly indexed: readonly string[]
  /** Can be filtered by, but is not shown. */
  readonly hidden?: FieldKinds
  /** Only scopes can filter by it. */
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

/** A field of the collection; throws if there is none. */
export function fieldOf(collection: Collection, name: string): CollectionField {
  const field = collection.fields.get(name)
  if (field === undefined) throw new Error(`${collection.name} has no field ${name}`)
  return field
}

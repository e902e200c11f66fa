import type { Resource, Schema } from '../model/declaration/schema.ts'
import type { Relation } from '../model/schema/resources.ts'
import { digitsName } from '../values/digits.ts'
import { type Kind, nullable } from '../values/kinds/kind.ts'
import { text } from '../values/kinds/text.ts'
import type { ListedItems } from '../values/listed-items.ts'

/** A queryable collection: its fields are declared once for every dialect, store and representation. */
export interface Collection<N extends CollectionName = CollectionName> extends Pick<ListedItems, 'calendar' | 'feed'> {
  readonly schema: Schema
  readonly name: N
  /** The name of one item, in XML and on pages. */
  readonly item: string
  /** In the order of an item's members. */
  readonly fields: ReadonlyMap<string, CollectionField>
  /** The columns of a table of items. */
  readonly columns: readonly string[]
  /** Identifies an item; `gt`, `lt`, `min` and `max` compare it, it is the default sort and breaks ties. */
  readonly key: string
  /** The fields that together identify a group, instead of a key. */
  readonly keys?: readonly string[]
  /** Whether its groups can be measured; groups of other collections are only counted. */
  readonly isMeasured: boolean
  /** Members with more than one value: `fields` can name them, filters cannot. */
  readonly structured: readonly string[]
  /** The relations that `expand` can show with an item, by name; filters reach the fields of referenced things. */
  readonly relations: ReadonlyMap<string, Relation>
  /** The fields that `q` searches; empty if the collection has no `q`. */
  readonly searched: readonly CollectionField[]
  /** The digits of those that are phone numbers, each with the field itself. */
  readonly dialled: readonly (readonly [field: CollectionField, digits: CollectionField])[]
  /** Filters for equality that apply unless the query filters by their field. */
  readonly defaults: ReadonlyMap<string, boolean>
  /** In the default sort, `after` takes the plain key. */
  readonly keyIsCursor: boolean
  /** Set if items belong to their creators. */
  readonly privacy?: Privacy
}

/** The field with the owner, and the one that says whether everybody may see it; without the latter nobody else may. */
export interface Privacy {
  readonly owner: string
  readonly shared?: string
}

export interface CollectionField {
  readonly name: string
  readonly kind: Kind<unknown>
  /** A sort by it uses an index on every page. */
  readonly indexed: boolean
  /** Not a member of the item: it is neither shown nor sortable. */
  readonly hidden: boolean
  /** Whether a query may filter by it; a scope may filter by any field. */
  readonly filterable: boolean
  /** The field that has the currency of an amount. */
  readonly currencyIn?: string
  /** Set for the digits of a field, if its text does not have them as they are; it is null otherwise. */
  readonly digitsOf?: string
  /** Set for a field of a referenced item; it is null if there is no such item. */
  readonly through?: Through
}

/** A field of another collection, reached by the field that holds the key of its item. */
export interface Through {
  readonly reference: string
  readonly of: Resource
  readonly field: CollectionField
}

export type CollectionName = string

type FieldKinds = { readonly [name: string]: Kind<unknown> }

interface CollectionDeclaration<N extends CollectionName>
  extends Pick<Collection<N>, 'name' | 'item' | 'key' | 'calendar' | 'feed' | 'privacy'> {
  readonly fields: FieldKinds
  readonly indexed: readonly string[]
  /** Can be filtered by, but is not shown. */
  readonly hidden?: FieldKinds
  /** Only scopes can filter by it. */
  readonly scopes?: FieldKinds
  readonly structured?: readonly string[]
  readonly relations?: readonly Relation[]
  readonly searched?: readonly string[]
  readonly dialled?: readonly string[]
  readonly defaults?: { readonly [name: string]: boolean }
  readonly keyIsCursor?: boolean
  readonly isMeasured?: boolean
  readonly moneyIn?: string
}

export function defineCollection<N extends CollectionName>(
  schema: Schema,
  declaration: CollectionDeclaration<N>,
): Collection<N> {
  const { name, item, key, fields, indexed, hidden = {}, scopes = {}, relations = [] } = declaration
  const field = (as: Pick<CollectionField, 'hidden' | 'filterable'>) => (entry: [string, Kind<unknown>]) =>
    [
      entry[0],
      { name: entry[0], kind: entry[1], indexed: indexed.includes(entry[0]), ...as, ...money(entry[1]) },
    ] as const
  const money = (kind: Kind<unknown>) =>
    declaration.moneyIn !== undefined && isMoney(kind) ? { currencyIn: declaration.moneyIn } : {}
  const known = new Map<string, CollectionField>([
    ...Object.entries(fields).map(field({ hidden: false, filterable: true })),
    ...Object.entries(hidden).map(field({ hidden: true, filterable: true })),
    ...Object.entries(scopes).map(field({ hidden: true, filterable: false })),
    ...relations.flatMap(fieldsThrough).map((each) => [each.name, each] as const),
  ])
  return {
    schema,
    name,
    item,
    key,
    isMeasured: declaration.isMeasured ?? false,
    fields: known,
    relations: new Map(relations.map((relation) => [relation.name, relation])),
    columns: [...Object.keys(fields), ...(declaration.structured ?? [])],
    structured: declaration.structured ?? [],
    // A field of something that not all readers of this collection may read is not searched either.
    searched: (declaration.searched ?? []).flatMap((each) => known.get(each) ?? []),
    dialled: (declaration.dialled ?? []).flatMap((digitsOf) => {
      const of = known.get(digitsOf)
      const digits = { name: digitsName(digitsOf), kind: DIGITS, indexed: false, hidden: true, filterable: false }
      return of === undefined ? [] : [[of, { ...digits, digitsOf }] as const]
    }),
    defaults: new Map(Object.entries(declaration.defaults ?? {})),
    keyIsCursor: declaration.keyIsCursor ?? false,
    ...(declaration.calendar && { calendar: declaration.calendar }),
    ...(declaration.feed && { feed: declaration.feed }),
    ...(declaration.privacy && { privacy: declaration.privacy }),
  }
}

/** Amounts with other decimals than those of money have no currency. */
const isMoney = ({ name, decimals }: Kind<unknown>): boolean => name === 'amount' && decimals === undefined

const DIGITS: Kind<unknown> = nullable(text({ min: 1, max: 50 }))

/** The fields of a referenced item, such as `customer.country`. */
function fieldsThrough({ name, kind, of, field: reference }: Relation): readonly CollectionField[] {
  if (kind === 'many') return []
  return Object.entries<Kind<unknown>>(of.kinds).map(([own, kind]) => {
    const field = { name: own, kind, indexed: of.indexed.includes(own), hidden: false, filterable: true }
    return {
      name: `${name}.${own}`,
      kind: kind.nullable ? kind : nullable(kind),
      indexed: false,
      hidden: true,
      filterable: true,
      through: { reference, of, field },
      ...(of.moneyIn !== undefined && isMoney(kind) && { currencyIn: `${name}.${of.moneyIn}` }),
    }
  })
}

/** A field of the collection; throws if there is none. */
export function fieldOf(collection: Collection, name: string): CollectionField {
  const field = collection.fields.get(name)
  if (field === undefined) throw new Error(`${collection.name} has no field ${name}`)
  return field
}

/** The fields that a query may filter by. */
export const filterable = ({ fields }: Collection): readonly CollectionField[] =>
  [...fields.values()].filter((field) => field.filterable)

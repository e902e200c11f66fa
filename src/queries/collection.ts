import type { Kind } from '../values/kind.ts'

/** A collection as it can be asked: its fields, declared once for every query form, store and representation. */
export interface Collection {
  readonly name: CollectionName
  /** What one item is called, in XML and on pages. */
  readonly item: string
  /** In the order in which an item shows them. */
  readonly fields: ReadonlyMap<string, Field>
  /** Identifies an item: the bounds `gt lt min max` are on it, it is the default sort and breaks ties. */
  readonly key: string
}

export interface Field {
  readonly name: string
  readonly kind: Kind<unknown>
  /** A sort on it is answered from an index, from the first page to the last. */
  readonly indexed: boolean
  /** Stands outside the item: it can be filtered and scoped by, but is not shown. */
  readonly hidden: boolean
}

export const collectionNames = ['customers', 'deals', 'history', 'commands', 'events'] as const
export type CollectionName = (typeof collectionNames)[number]

export function defineCollection(
  declaration: Omit<Collection, 'fields'> & {
    readonly fields: { readonly [name: string]: Kind<unknown> }
    readonly indexed: readonly string[]
    readonly hidden?: { readonly [name: string]: Kind<unknown> }
  },
): Collection {
  const { fields, indexed, hidden = {}, ...rest } = declaration
  const shown = Object.entries(fields).map(([name, kind]) => field(name, kind, indexed.includes(name), false))
  const unshown = Object.entries(hidden).map(([name, kind]) => field(name, kind, indexed.includes(name), true))
  return { ...rest, fields: new Map([...shown, ...unshown].map((each) => [each.name, each])) }
}

const field = (name: string, kind: Kind<unknown>, indexed: boolean, hidden: boolean): Field => ({
  name,
  kind,
  indexed,
  hidden,
})

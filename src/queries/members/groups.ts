import { isNumeric } from '../../values/kinds/kind.ts'
import { type Collection, type CollectionField, filterable } from '../collection.ts'

/** The groups that a query asks for instead of items. decisions/0032 */
export interface Groups {
  /** Empty for one group of everything. */
  readonly by: readonly GroupKey[]
  readonly measures: readonly Measure[]
  /** The groups as a collection, whose fields are the keys and the measures. */
  readonly list: Collection
}

/** A field whose equal values make a group; of dates, perhaps only a part. */
export interface GroupKey {
  readonly name: string
  readonly field: CollectionField
  readonly part?: DatePart
}

/** In UTC: `2026`, `2026-11`, `2026-W46` (ISO 8601), `2026-11-15`. */
export const dateParts = ['year', 'month', 'week', 'day'] as const
export type DatePart = (typeof dateParts)[number]

/** A measure of a group; without a field, its items are counted. */
export type Measure =
  | { readonly name: string; readonly does: 'count' }
  | { readonly name: string; readonly does: MeasureName; readonly field: CollectionField }

export const measureNames = ['count', 'sum', 'avg', 'min', 'max'] as const
export type MeasureName = (typeof measureNames)[number]

/** The collection of a query's items. */
export const listedBy = (collection: Collection, { groups }: { readonly groups?: Groups }): Collection =>
  groups?.list ?? collection

/** Every key that a collection can be grouped by. */
export function keysOf(collection: Collection): ReadonlyMap<string, GroupKey> {
  const keys = filterable(collection).flatMap(keysWith)
  return new Map(keys.map((key) => [key.name, key]))
}

function keysWith(field: CollectionField): readonly GroupKey[] {
  const { name, kind } = field
  const parts = kind.name === 'date' || kind.name === 'instant' ? dateParts : []
  return [{ name, field }, ...parts.map((part) => ({ name: `${name}.${part}`, field, part }))]
}

export const COUNT: Measure = { name: 'count', does: 'count' }

/** Every measure of a collection's groups. */
export function measuresOf(collection: Collection): ReadonlyMap<string, Measure> {
  const measured = collection.isMeasured ? filterable(collection) : []
  const all = measured.flatMap((field) =>
    measureNames
      .filter((does) => (!isAdded(does) || isNumeric(field.kind)) && (does === 'count' || !field.kind.unordered))
      .map((does): Measure => ({ name: `${does}.${field.name}`, does, field })),
  )
  return new Map([COUNT, ...all].map((measure) => [measure.name, measure]))
}

/** Whether it adds values up, which must then have one currency. */
export const isAdded = (does: MeasureName): boolean => does === 'sum' || does === 'avg'

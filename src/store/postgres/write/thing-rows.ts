import { valueIn } from '../../../model/operation.ts'
import type { Resource, Thing } from '../../../model/resource.ts'
import { thingColumns } from '../../rows/things.ts'
import type { Row } from '../connect/connection.ts'

/** Nothing for a row of nulls, as an outer join gives it. */
export function readThing({ names }: Resource, row: Row): Thing | undefined {
  if (row[0] === null || row.length === 0) return undefined
  return Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as Thing
}

export const thingValues = ({ names }: Resource, thing: Thing, json: string): readonly unknown[] => [
  ...names.map((name) => valueIn(thing, name)),
  json,
]

/** A thing by its columns, with its document. */
export function thingRecord(resource: Resource, thing: Thing): Readonly<Record<string, unknown>> {
  const columns = [...thingColumns(resource), 'doc']
  const values = thingValues(resource, thing, resource.toJson(thing))
  return Object.fromEntries(columns.map((column, at) => [column, values[at]]))
}

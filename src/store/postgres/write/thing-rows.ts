import type { Resource, Thing } from '../../../model/resource.ts'
import type { Row } from '../connect/connection.ts'

/** Nothing for a row of nulls, as an outer join gives it. */
export function readThing({ names }: Resource, row: Row): Thing | undefined {
  if (row[0] === null || row.length === 0) return undefined
  return Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as Thing
}

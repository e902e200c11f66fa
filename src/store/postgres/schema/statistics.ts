import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { projectionsOf } from '../../../model/schema/resources.ts'
import { transferTables } from '../../port/transfer.ts'
import { ownTable } from '../../rows/unique-lookup.ts'
import { gramTable, searchedIn } from '../../select/grams.ts'

/**
 * Renews the statistics by which the planner knows tables. The server does so only some time after a table was filled,
 * and plans for an empty one until then. Tables that others have locked are left out: nobody waits for this.
 */
export const analyze = (tables: readonly string[]): string => `ANALYZE (SKIP_LOCKED) ${tables.join(', ')}`

/** The tables with the things of a resource and what is derived from them. */
const tablesOf = (resource: Resource): readonly string[] => [
  resource.plural,
  ...projectionsOf(resource).map(({ name }) => name),
  ...(resource.extensible ? [ownTable(resource)] : []),
  ...(searchedIn(resource.schema).includes(resource) ? [gramTable(resource.plural)] : []),
]

/** The tables that an import fills. */
export const importedTables = (resource: Resource): readonly string[] => [
  ...tablesOf(resource),
  ...['events', 'commands', 'import_changes'],
]

export const allTables = (schema: Schema): readonly string[] => [
  ...new Set([...transferTables(schema).map(({ name }) => name), ...schema.resources.flatMap(tablesOf)]),
]

import { worksOf } from '../../transactions/ports.ts'
import { endedOwners } from '../connect/owners.ts'
import { sqlite } from '../sql/dialect.ts'
import { tableStatements } from './table-statements.ts'

/** By schema: the main thread reads with the same works as the writer. */
export const sqliteWorks = worksOf(sqlite, tableStatements, endedOwners)

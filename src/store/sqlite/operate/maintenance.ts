import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { Maintenance } from '../../port/maintenance.ts'
import { fillDatabase } from '../../transactions/fill.ts'
import { purgeFields } from '../../transactions/model/purge-fields.ts'
import { purgeDeleted } from '../../transactions/purge.ts'
import { type InTransaction, trimHistory } from '../../transactions/trim.ts'
import { connect } from '../connect/connection.ts'
import { workRunner } from '../connect/statements.ts'
import { prepareDatabase } from '../schema/migrate.ts'
import { indexLater } from '../schema/search-index.ts'
import { inTransaction, pause, TURN } from '../schema/transaction.ts'
import { sqlite } from '../sql/dialect.ts'
import { tableStatements } from '../write/table-statements.ts'

/** Each task opens its own connections. */
export function sqliteMaintenance(path: string, schema: Schema): Maintenance {
  const file = resolve(path)
  const opening = prepareDatabase(file, schema)
  /** The result of work, with its rows indexed in the same transaction. */
  const indexed = <T>(db: DatabaseSync, done: T): T => {
    indexLater(db, schema)
    return done
  }
  return {
    opening,
    schema,
    async fill(content) {
      using db = connect(file)
      const work = fillDatabase(sqlite, tableStatements, schema, content)
      return inTransaction(db, () => indexed(db, workRunner(db)(work)))
    },
    async *purge(before, { dryRun }) {
      using db = connect(file)
      const run = workRunner(db)
      const inTransaction: InTransaction = async (work) => inTurn(db, () => indexed(db, run(work())))
      yield* purgeDeleted(sqlite, schema, tableStatements, inTransaction, before, dryRun)
      yield* purgeFields(sqlite, schema, tableStatements, inTransaction, before, dryRun)
    },
    async *trim(before) {
      using db = connect(file)
      const run = workRunner(db)
      yield* trimHistory(sqlite, schema, tableStatements, async (work) => inTurn(db, () => run(work())), before)
    },
  }
}

/** Lets other processes write in between. */
function inTurn<T>(db: DatabaseSync, work: () => T): T {
  pause(TURN)
  return inTransaction(db, work)
}

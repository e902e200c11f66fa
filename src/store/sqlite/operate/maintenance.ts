import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Maintenance } from '../../port/maintenance.ts'
import { fillDatabase } from '../../work/fill.ts'
import { purgeDeleted } from '../../work/purge.ts'
import { trimHistory } from '../../work/trim.ts'
import { connect } from '../connect/connection.ts'
import { workRunner } from '../connect/statements.ts'
import { inTransaction, pause, TURN } from '../connect/transaction.ts'
import { sqlite } from '../dialect.ts'
import { prepareDatabase } from '../schema/migrate.ts'
import { indexLater } from '../schema/search-index.ts'
import { backupDatabase } from './backup.ts'
import { importCustomers } from './import-customers.ts'
import { tableStatements } from './table-statements.ts'

/** Each task opens its own connections. */
export function sqliteMaintenance(path: string): Maintenance {
  const file = resolve(path)
  const opening = prepareDatabase(file)
  return {
    opening,
    importCustomers: (source, expected, actor = null) => importCustomers(file, source, expected, actor),
    async fill(content) {
      using db = connect(file)
      return inTransaction(db, () => indexed(db, workRunner(db)(fillDatabase(tableStatements, content))))
    },
    backup: (target, onProgress) => backupDatabase(file, target, onProgress),
    async *purge(before, { dryRun }) {
      using db = connect(file)
      const run = workRunner(db)
      yield* purgeDeleted(sqlite, async (work) => inTurn(db, () => indexed(db, run(work()))), before, dryRun)
    },
    async *trim(before) {
      using db = connect(file)
      const run = workRunner(db)
      yield* trimHistory(sqlite, async (work) => inTurn(db, () => run(work())), before)
    },
  }
}

/** What work gave, its rows indexed in the same transaction. */
function indexed<T>(db: DatabaseSync, done: T): T {
  indexLater(db)
  return done
}

/** Lets other processes write in between. */
function inTurn<T>(db: DatabaseSync, work: () => T): T {
  pause(TURN)
  return inTransaction(db, work)
}

import type { Schema } from '../../../model/declaration/schema.ts'
import type { Maintenance } from '../../port/maintenance.ts'
import { fillDatabase } from '../../transactions/fill.ts'
import { purgeFields } from '../../transactions/model/purge-fields.ts'
import { purgeDeleted } from '../../transactions/purge.ts'
import { type InTransaction, trimHistory } from '../../transactions/trim.ts'
import { openConnection } from '../connect/connection.ts'
import { migrate } from '../schema/migrate.ts'
import { allTables, analyze } from '../schema/statistics.ts'
import { inTransaction, runWork, type Transactions } from '../schema/transaction.ts'
import { postgres } from '../sql/dialect.ts'
import { tableStatements } from '../write/table-statements.ts'

/** Each of these uses its own connection while it runs. */
export async function postgresMaintenance(url: string, schema: Schema): Promise<Maintenance> {
  const opening = await migrate(url, schema)
  return {
    opening,
    schema,
    async fill(content) {
      await using transactions = await openTransactions(url)
      const filled = await inTransaction(transactions, (session) =>
        runWork(session, fillDatabase(postgres, tableStatements, schema, content)),
      )
      if (filled === 'filled')
        await transactions.transaction((session) => session.query({ text: analyze(allTables(schema)) }))
      return filled
    },
    async *purge(before, { dryRun }) {
      await using transactions = await openTransactions(url)
      yield* purgeDeleted(postgres, schema, tableStatements, working(transactions), before, dryRun)
      yield* purgeFields(postgres, schema, tableStatements, working(transactions), before, dryRun)
    },
    async *trim(before) {
      await using transactions = await openTransactions(url)
      yield* trimHistory(postgres, schema, tableStatements, working(transactions), before)
    },
  }
}

const working =
  (transactions: Transactions): InTransaction =>
  (work, isChanged = false) =>
    inTransaction(transactions, (session) => runWork(session, work()), { version: null, isChanged })

/** Milliseconds: a step may be large, and waits while an import locks the customers. */
const LONGEST_STEP = 60_000

/** One at a time. */
async function openTransactions(url: string): Promise<Transactions & AsyncDisposable> {
  const connection = await openConnection(url, { longestStatement: LONGEST_STEP, longestLock: LONGEST_STEP })
  return {
    transaction: async (run) => run(connection.pinned()),
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

import { type SqlDialect, statementIn, statementsIn } from '../sql/dialect.ts'
import { ask, askAll, bind, type Work } from './work.ts'

/** Bounds how long a transaction blocks others. */
const BATCH = 100

/** Deals deleted before an instant, with their events and commands, a batch and a transaction at a time. */
export async function* purgeDeals(
  dialect: SqlDialect,
  inTransaction: (work: () => Work<readonly string[]>) => Promise<readonly string[]>,
  before: string,
  dryRun: boolean,
): AsyncIterable<readonly string[]> {
  const find = statementIn(dialect, { text: `${FIND} ${dryRun ? '' : dialect.lock}` })
  const remove = Object.values(removals(dialect))

  for (let last = ''; ; ) {
    const ids = await inTransaction(() => purgeNext(last))
    if (ids.length === 0) return
    yield ids
    last = ids.at(-1) ?? ''
  }

  function* purgeNext(last: string): Work<readonly string[]> {
    // Selected under a lock: a deal that is restored meanwhile stays, and nothing is written to one that is removed.
    const ids = (yield* ask(find, before, last)).map(([id]) => String(id))
    if (!dryRun && ids.length > 0) yield* askAll(remove.map((statement) => bind(statement, ids)))
    return ids
  }
}

const FIND = `SELECT id FROM deals WHERE deleted_at IS NOT NULL AND deleted_at < ?1 AND id > ?2 ORDER BY id LIMIT ${BATCH}`

/** Rows that refer to a deal are removed first. */
const removals = (dialect: SqlDialect) =>
  statementsIn(dialect, 'purge', {
    EVENTS: `DELETE FROM events WHERE ${dialect.among('subject', '?1')}`,
    COMMANDS: `DELETE FROM commands WHERE ${dialect.among('subject', '?1')}`,
    DEALS: `DELETE FROM deals WHERE ${dialect.among('id', '?1')}`,
  })

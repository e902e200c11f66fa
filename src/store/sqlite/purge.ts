import { connect } from './connect.ts'
import { inTransaction, pause, TURN } from './transaction.ts'

/** Bounds how long a transaction keeps others waiting. */
const BATCH = 100

/** Deals deleted before an instant, with their events and commands. */
export async function* purgeDeals(path: string, before: string, dryRun: boolean): AsyncIterable<readonly string[]> {
  const db = connect(path)
  try {
    const find = db.prepare(
      `SELECT id FROM deals WHERE deleted_at IS NOT NULL AND deleted_at < ? AND id > ? ORDER BY id LIMIT ${BATCH}`,
    )
    const remove = [
      'DELETE FROM events WHERE deal_id = ?',
      'DELETE FROM commands WHERE deal_id = ?',
      'DELETE FROM deals WHERE id = ?',
    ].map((sql) => db.prepare(sql))
    const next = (after: string): string[] => find.all(before, after).map(({ id }) => String(id))
    // Found and removed under one lock: a deal that is restored meanwhile stays.
    const removeNext = (after: string): string[] =>
      inTransaction(db, () => {
        const ids = next(after)
        for (const id of ids) for (const statement of remove) statement.run(id)
        return ids
      })

    let ids = dryRun ? next('') : removeNext('')
    while (ids.length > 0) {
      yield ids
      if (!dryRun) pause(TURN)
      const last = ids.at(-1) ?? ''
      ids = dryRun ? next(last) : removeNext(last)
    }
  } finally {
    db.close()
  }
}

import type { DatabaseSync } from 'node:sqlite'
import type { Deal } from '../../../model/deal/deal.ts'

/** How long each deal was in a stage and a status. decisions/0050 */
export interface PeriodRows {
  /** Ends and begins the periods of a deal that was, if it was there, and then became what its events tell. */
  keep(before: Deal | undefined, became: readonly Deal[]): void
}

export function periodRows(db: DatabaseSync): PeriodRows {
  const end = db.prepare(`UPDATE periods SET until = ?1, seconds = unixepoch(?1) - unixepoch(since)
    WHERE deal_id = ?2 AND until IS NULL`)
  const begin = db.prepare(
    'INSERT INTO periods (id, deal_id, revision, stage, status, since) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return {
    keep(before, became) {
      let last = before
      for (const now of became) {
        const { id, revision, stage, status, updatedAt } = now
        if (last?.stage !== stage || last.status !== status) {
          if (last !== undefined) end.run(updatedAt, id)
          begin.run(`${id}.${revision}`, id, revision, stage, status, updatedAt)
        }
        last = now
      }
    },
  }
}

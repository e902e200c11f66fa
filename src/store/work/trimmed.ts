import type { StoreReads } from '../desks.ts'
import { type SqlDialect, statementsIn } from '../sql/dialect.ts'
import type { RunStatement } from './work.ts'

/** Reads how far the feed and histories were trimmed. */
export function trimmedReader(dialect: SqlDialect, read: RunStatement): StoreReads['trimmed'] {
  const { UP_TO, OF } = statementsIn(dialect, 'trimmed', {
    UP_TO: `SELECT ${dialect.sequence.text} FROM (SELECT upto AS sequence FROM trimmed_feed) AS place`,
    OF: 'SELECT events FROM trimmed_histories WHERE subject = ?1',
  })
  return {
    async upTo() {
      const [row] = await read(UP_TO)
      return row && String(row[0])
    },
    async of(subject) {
      const [row] = await read(OF, String(subject))
      return Number(row?.[0] ?? 0)
    },
  }
}

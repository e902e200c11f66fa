import type { SetUpCode } from '../../port/accounts.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

const MOST_TRIES = 5

/** The code for creating the first admin: one for all instances. */
export function setUpCodeWork(dialect: SqlDialect) {
  const { OPEN, CURRENT, TRY } = statementsIn(dialect, 'set-up codes', {
    OPEN: `INSERT INTO set_up_code (one, hash, created_at, ends_at, tries) VALUES (1, ?1, ?2, ?3, 0)
      ON CONFLICT (one) DO UPDATE SET hash = ?1, created_at = ?2, ends_at = ?3, tries = 0
        WHERE set_up_code.ends_at <= ?2 OR set_up_code.tries >= ${MOST_TRIES} RETURNING hash`,
    CURRENT: 'SELECT created_at FROM set_up_code',
    TRY: `UPDATE set_up_code SET tries = tries + 1 WHERE ends_at > ?1 AND tries < ${MOST_TRIES} RETURNING hash`,
  })
  return {
    /** Unless there is one that can still be used: then returns when it was made. */
    *openSetUp({ hash, createdAt, endsAt }: SetUpCode): Work<string | undefined> {
      if ((yield* ask(OPEN, hash, createdAt, endsAt)).length > 0) return undefined
      return String((yield* ask(CURRENT))[0]?.[0])
    },

    *trySetUp(hash: string, now: string): Work<'right' | 'wrong' | 'ended'> {
      const [row] = yield* ask(TRY, now)
      return row === undefined ? 'ended' : row[0] === hash ? 'right' : 'wrong'
    },
  }
}

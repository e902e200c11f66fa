import { uuidV7 } from '../../../values/kinds/uuid.ts'
import type { TrimBefore } from '../../port/accounts.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/** Bounds how long the transaction blocks others; the rest is removed the next time. */
const MOST_ENTRIES = 10_000

/** Removes what has ended, and entries of the audit that are too old. decisions/0033 */
export function trimWork(dialect: SqlDialect) {
  const { SESSIONS, INVITATIONS, FORMS, AUDIT } = statementsIn(dialect, 'trim accounts', {
    SESSIONS: 'DELETE FROM sessions WHERE ends_at <= ?1 OR seen_at < ?2',
    INVITATIONS: 'DELETE FROM invitations WHERE ends_at <= ?1',
    FORMS: 'DELETE FROM kept_forms WHERE ends_at <= ?1',
    AUDIT: `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < ?1 ORDER BY id LIMIT ${MOST_ENTRIES})`,
  })
  return {
    *trim({ now, idleSince, auditBefore }: TrimBefore): Work<void> {
      yield* ask(SESSIONS, now, idleSince)
      yield* ask(INVITATIONS, now)
      yield* ask(FORMS, now)
      // An id begins with its instant, so the primary key finds old ones.
      yield* ask(AUDIT, uuidV7(Date.parse(auditBefore), new Uint8Array(10)))
    },
  }
}

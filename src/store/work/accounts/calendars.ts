import type { Author } from '../../../model/user/audit.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'
import type { WriteAudit } from './audit-entries.ts'

/** The addresses of users' calendars, one for each at most. */
export function calendarWork(dialect: SqlDialect, audit: WriteAudit) {
  const { SET, REVOKE, OWNER } = statementsIn(dialect, 'calendars', {
    SET: 'INSERT INTO calendars (user_name, hash) VALUES (?1, ?2) ON CONFLICT (user_name) DO UPDATE SET hash = ?2',
    REVOKE: 'DELETE FROM calendars WHERE user_name = ?1 RETURNING user_name',
    OWNER: `SELECT users.name FROM calendars JOIN users ON users.name = calendars.user_name
      WHERE calendars.hash = ?1 AND NOT users.disabled`,
  })
  return {
    /** The earlier address, if there is one, leads nowhere from now on. */
    *openCalendar(user: string, hash: string, by: Author): Work<void> {
      yield* ask(SET, user, hash)
      yield* audit('calendar-opened', { user }, by)
    },

    /** False if there is none. */
    *revokeCalendar(user: string, by: Author): Work<boolean> {
      if ((yield* ask(REVOKE, user)).length === 0) return false
      yield* audit('calendar-revoked', { user }, by)
      return true
    },

    *calendarOwner(hash: string): Work<string | undefined> {
      const [row] = yield* ask(OWNER, hash)
      return row && String(row[0])
    },
  }
}

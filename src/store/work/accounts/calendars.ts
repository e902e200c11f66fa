import type { Author } from '../../../model/user/audit.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'
import type { WriteAudit } from './audit-entries.ts'

/** The addresses of users' calendars, one for each at most. */
export function calendarWork(dialect: SqlDialect, audit: WriteAudit) {
  const { USER, SET, REVOKE, OWNER } = statementsIn(dialect, 'calendars', {
    USER: `SELECT name FROM users WHERE name = ?1 ${dialect.lock}`,
    SET: 'INSERT INTO calendars (user_name, hash) VALUES (?1, ?2) ON CONFLICT (user_name) DO UPDATE SET hash = ?2',
    REVOKE: 'DELETE FROM calendars WHERE user_name = ?1 RETURNING user_name',
    OWNER: `SELECT users.name FROM calendars JOIN users ON users.name = calendars.user_name
      WHERE calendars.hash = ?1 AND NOT users.disabled`,
  })
  return {
    *setCalendar(user: string, hash: string | null, by: Author): Work<boolean> {
      if ((yield* ask(USER, user)).length === 0) return false
      if (hash === null && (yield* ask(REVOKE, user)).length === 0) return false
      if (hash !== null) yield* ask(SET, user, hash)
      yield* audit(hash === null ? 'calendar-revoked' : 'calendar-opened', { user }, by)
      return true
    },

    *calendarOwner(hash: string): Work<string | undefined> {
      const [row] = yield* ask(OWNER, hash)
      return row && String(row[0])
    },
  }
}

import type { Identity } from '../../../model/nouns/user/operations.ts'
import type { StoredUser } from '../../../model/nouns/user/user.ts'
import { userRows } from '../../rows/audited/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/** Users' identities at OpenID providers, and their calendars, by the secret of the address. */
export function identityWork(dialect: SqlDialect) {
  const { FIND, OF_USER, OWNER, CALENDAR } = statementsIn(dialect, 'identities', {
    FIND: `SELECT ${userRows.columns.join(', ')} FROM users WHERE name = (
      SELECT user_name FROM identities WHERE issuer = ?1 AND subject = ?2)`,
    OF_USER: 'SELECT issuer, subject FROM identities WHERE user_name = ?1 ORDER BY issuer',
    CALENDAR: 'SELECT 1 FROM calendars WHERE user_name = ?1',
    OWNER: `SELECT users.name FROM calendars JOIN users ON users.name = calendars.user_name
      WHERE calendars.hash = ?1 AND NOT users.disabled`,
  })
  return {
    *findIdentified({ issuer, subject }: Identity): Work<StoredUser | undefined> {
      return (yield* ask(FIND, issuer, subject)).map(userRows.read)[0]
    },

    *identitiesOf(user: string): Work<readonly Identity[]> {
      return (yield* ask(OF_USER, user)).map(([issuer, subject]) => ({
        issuer: String(issuer),
        subject: String(subject),
      }))
    },

    *calendarOwner(hash: string): Work<string | undefined> {
      const [row] = yield* ask(OWNER, hash)
      return row && String(row[0])
    },

    *hasCalendar(user: string): Work<boolean> {
      return (yield* ask(CALENDAR, user)).length > 0
    },
  }
}

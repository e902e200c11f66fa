import type { Author } from '../../../model/user/audit.ts'
import type { StoredUser } from '../../../model/user/user.ts'
import type { Identity } from '../../port/accounts.ts'
import { userRows } from '../../rows/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'
import type { WriteAudit } from './audit-entries.ts'
import type { userWork } from './users.ts'

/** Who users are at OpenID providers. */
export function identityWork(dialect: SqlDialect, audit: WriteAudit, add: ReturnType<typeof userWork>['add']) {
  const { FIND, OF_USER, USER, UNLINK, LINK } = statementsIn(dialect, 'identities', {
    FIND: `SELECT ${userRows.columns.join(', ')} FROM users WHERE name = (
      SELECT user_name FROM identities WHERE issuer = ?1 AND subject = ?2)`,
    OF_USER: 'SELECT issuer, subject FROM identities WHERE user_name = ?1 ORDER BY issuer',
    USER: `SELECT name FROM users WHERE name = ?1 ${dialect.lock}`,
    UNLINK: 'DELETE FROM identities WHERE issuer = ?1 AND user_name = ?2',
    LINK: `INSERT INTO identities (issuer, subject, user_name) VALUES (?1, ?2, ?3)
      ON CONFLICT (issuer, subject) DO UPDATE SET user_name = ?3`,
  })
  return {
    *findIdentified({ issuer, subject }: Identity): Work<StoredUser | undefined> {
      return (yield* ask(FIND, issuer, subject)).map(userRows.read)[0]
    },

    *addIdentified(user: StoredUser, { issuer, subject }: Identity, by: Author): Work<boolean> {
      if (!(yield* add({ user, hash: null }, by))) return false
      yield* ask(LINK, issuer, subject, user.name)
      return true
    },

    *identitiesOf(user: string): Work<readonly Identity[]> {
      return (yield* ask(OF_USER, user)).map(([issuer, subject]) => ({
        issuer: String(issuer),
        subject: String(subject),
      }))
    },

    *link(user: string, { issuer, subject }: Identity, by: Author): Work<boolean> {
      if ((yield* ask(USER, user)).length === 0) return false
      yield* ask(UNLINK, issuer, user)
      yield* ask(LINK, issuer, subject, user)
      yield* audit('user-linked', { user, detail: subject.slice(0, 200) }, by)
      return true
    },
  }
}

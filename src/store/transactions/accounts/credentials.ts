import type { AuditNote, Author } from '../../../model/declaration/audit-note.ts'
import type { ApiKey } from '../../../model/nouns/user/key.ts'
import type { User } from '../../../model/nouns/user/user.ts'
import type { KnownCaller, NewSession } from '../../port/accounts.ts'
import { keyRows, readCaller, sessionRows, userRows } from '../../rows/audited/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { auditWriter, type WriteAudit } from './audit-entries.ts'

/** Keys and sessions. */
export function credentialWork(dialect: SqlDialect, audit: WriteAudit) {
  const { BY_KEY, BY_SESSION, SEEN, SESSION_SEEN, ENABLED, PROVED, OPEN, REPLACE, KEYS } = callerStatements(dialect)

  return {
    *callerByKey(hash: string, now: string): Work<KnownCaller | undefined> {
      return (yield* ask(BY_KEY, hash, now)).map(readCaller)[0]
    },

    *callerBySession(hash: string, now: string, idleSince: string): Work<KnownCaller | undefined> {
      return (yield* ask(BY_SESSION, hash, now, idleSince)).map(readCaller)[0]
    },

    *seen({ user, session }: Pick<KnownCaller, 'user' | 'session'>, now: string, before: string): Work<void> {
      yield* askAll([
        ...(user === null ? [] : [bind(SEEN, user, now, before)]),
        ...(session === null ? [] : [bind(SESSION_SEEN, session, now, before)]),
      ])
    },

    *openSession(
      { session, hash, signedInAt = session.createdAt, proof }: NewSession,
      replaces: string | undefined,
      by: Author,
      detail: string,
    ): Work<boolean> {
      // Locked, so that disabling the user or setting a password meanwhile ends this session too.
      if ((yield* ask(ENABLED, session.user)).length === 0) return false
      if (proof !== undefined && (yield* ask(PROVED, session.user, proof)).length === 0) return false
      const [replaced] = replaces === undefined ? [] : yield* ask(REPLACE, replaces)
      if (replaced !== undefined) {
        yield* audit('session-ended', { user: String(replaced[0]), detail: 'by a new sign-in' }, by)
      }
      yield* ask(OPEN, ...sessionRows.values({ ...session, hash, signedInAt }))
      yield* ask(SEEN, session.user, session.createdAt, session.createdAt)
      yield* audit('sign-in', { user: session.user, detail }, by)
      return true
    },

    *signOut(hash: string, address: string): Work<void> {
      const [row] = yield* ask(REPLACE, hash)
      if (row === undefined) return
      const user = String(row[0])
      yield* audit('sign-out', { user }, { actor: user, address })
    },

    *keys(): Work<readonly ApiKey[]> {
      return (yield* ask(KEYS)).map((row) => {
        const { hash: _hash, ...key } = keyRows.read(row)
        return key
      })
    },

    *record(event: string, about: AuditNote, by: Author): Work<void> {
      yield* audit(event, about, by)
    },
  }
}

/** Links with which users set a password. */
export function invitationWork(dialect: SqlDialect, audit: WriteAudit = auditWriter(dialect)) {
  const invited = `SELECT ${userRows.columns.join(', ')} FROM users WHERE NOT disabled AND name = (
        SELECT user_name FROM invitations WHERE hash = ?1 AND ends_at > ?2)`
  const { INVITED, LOCK_INVITED, TAKE, SET_PASSWORD, END_ALL } = statementsIn(dialect, 'invitations', {
    INVITED: invited,
    LOCK_INVITED: `${invited} ${dialect.lock}`,
    TAKE: 'DELETE FROM invitations WHERE hash = ?1 AND ends_at > ?2 RETURNING user_name',
    SET_PASSWORD: `INSERT INTO passwords (user_name, hash) VALUES (?1, ?2)
        ON CONFLICT (user_name) DO UPDATE SET hash = ?2`,
    END_ALL: 'DELETE FROM sessions WHERE user_name = ?1',
  })
  return {
    *invited(hash: string, now: string): Work<User | undefined> {
      return (yield* ask(INVITED, hash, now)).map(userRows.read)[0]
    },

    *accept(hash: string, passwordHash: string, by: Author, now: string): Work<User | undefined> {
      const [user] = (yield* ask(LOCK_INVITED, hash, now)).map(userRows.read)
      // The DELETE settles the race: one of two concurrent callers gets the row.
      if (user === undefined || (yield* ask(TAKE, hash, now)).length === 0) return undefined
      yield* ask(SET_PASSWORD, user.name, passwordHash)
      yield* ask(END_ALL, user.name)
      yield* audit('invitation-accepted', { user: user.name }, { ...by, actor: user.name })
      return user
    },
  }
}

function callerStatements(dialect: SqlDialect) {
  return statementsIn(dialect, 'sessions', {
    // A key of a user ends with the user, and never has more rights than the user.
    BY_KEY: `SELECT coalesce(keys.user_name, keys.name), CASE WHEN users.name IS NULL OR ${rank('keys.role')} < ${rank('users.role')}
        THEN keys.role ELSE users.role END, keys.user_name, keys.name, NULL, NULL, users.full_name, users.last_seen_at,
        keys.ends_at, users.role, keys.role
      FROM keys LEFT JOIN users ON users.name = keys.user_name
      WHERE keys.hash = ?1 AND (keys.ends_at IS NULL OR keys.ends_at > ?2)
        AND (keys.user_name IS NULL OR (users.name IS NOT NULL AND NOT users.disabled))`,
    BY_SESSION: `SELECT users.name, users.role, users.name, NULL, sessions.id, sessions.signed_in_at, users.full_name,
        sessions.seen_at, NULL, users.role, NULL
      FROM sessions JOIN users ON users.name = sessions.user_name
      WHERE sessions.hash = ?1 AND sessions.ends_at > ?2 AND sessions.seen_at >= ?3 AND NOT users.disabled`,
    SEEN: `UPDATE users SET last_seen_at = ?2, invited = FALSE
      WHERE name = ?1 AND (last_seen_at IS NULL OR last_seen_at < ?3)`,
    SESSION_SEEN: 'UPDATE sessions SET seen_at = ?2 WHERE id = ?1 AND seen_at < ?3',
    ENABLED: `SELECT name FROM users WHERE name = ?1 AND NOT disabled ${dialect.lock}`,
    PROVED: 'SELECT 1 FROM passwords WHERE user_name = ?1 AND hash = ?2',
    OPEN: `INSERT INTO sessions (${sessionRows.columns.join(', ')})
      VALUES (${sessionRows.columns.map((_, at) => `?${at + 1}`).join(', ')})`,
    REPLACE: 'DELETE FROM sessions WHERE hash = ?1 RETURNING user_name',
    KEYS: `SELECT ${keyRows.columns.join(', ')} FROM keys ORDER BY name, user_name`,
  })
}

const rank = (column: string): string => `CASE ${column} WHEN 'reader' THEN 0 WHEN 'admin' THEN 2 ELSE 1 END`

import type { Accounts } from '../../port/accounts.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import type { RunWork } from '../work.ts'
import { auditWriter } from './audit-entries.ts'
import { calendarWork } from './calendars.ts'
import { credentialWork, invitationWork } from './credentials.ts'
import { identityWork } from './identities.ts'
import { keptFormWork } from './kept-forms.ts'
import { setUpCodeWork } from './set-up-codes.ts'
import { trimWork } from './trim.ts'
import { userWork } from './users.ts'

/** Everything that is done to users, their credentials and sessions, by name. */
export type AccountWorks = ReturnType<typeof accountWorks>

export function accountWorks(dialect: SqlDialect) {
  const audit = auditWriter(dialect)
  const invitations = invitationWork(dialect, audit)
  const users = userWork(dialect, audit, invitations.invite)
  return {
    ...users,
    ...credentialWork(dialect, audit),
    ...invitations,
    ...calendarWork(dialect, audit),
    ...identityWork(dialect, audit, users.add),
    ...keptFormWork(dialect),
    ...setUpCodeWork(dialect),
    ...trimWork(dialect),
  }
}

export function accountStore(read: RunWork<AccountWorks>, write: RunWork<AccountWorks>): Accounts {
  return {
    any: () => read('any'),
    anyUser: () => read('anyUser'),
    isTaken: (name) => read('isTaken', name),
    find: (name) => read('find', name),
    users: () => read('users'),
    keys: () => read('keys'),
    callerByKey: (hash, now) => read('callerByKey', hash, now),
    callerBySession: (hash, now, idleSince) => read('callerBySession', hash, now, idleSince),
    seen: (who, now, before) => write('seen', who, now, before),
    add: (account, by, event) => write('add', account, by, event),
    addFirst: (account, by) => write('addFirst', account, by),
    change: (change, by) => write('change', change, by),
    setPassword: (name, hash, before, by) => write('setPassword', name, hash, before, by),
    openSession: (opened, replaces, by, detail) => write('openSession', opened, replaces, by, detail),
    signOut: (hash, address) => write('signOut', hash, address),
    endSessions: (user, id, event, by) => write('endSessions', user, id, event, by),
    addKey: (key, hash, by) => write('addKey', key, hash, by),
    removeKey: (key, by) => write('removeKey', key, by),
    invite: (invitation, by) => write('invite', invitation, by),
    invited: (hash, now) => read('invited', hash, now),
    accept: (hash, passwordHash, by, now) => write('accept', hash, passwordHash, by, now),
    setCalendar: (user, hash, by) => write('setCalendar', user, hash, by),
    calendarOwner: (hash) => read('calendarOwner', hash),
    findIdentified: (identity) => read('findIdentified', identity),
    addIdentified: (user, identity, by) => write('addIdentified', user, identity, by),
    identitiesOf: (user) => read('identitiesOf', user),
    link: (user, identity, by) => write('link', user, identity, by),
    keepForm: (form, now) => write('keepForm', form, now),
    takeForm: (hash, now) => write('takeForm', hash, now),
    openSetUp: (code) => write('openSetUp', code),
    trySetUp: (hash, now) => write('trySetUp', hash, now),
    record: (event, about, by) => write('record', event, about, by),
    trim: (before) => write('trim', before),
  }
}

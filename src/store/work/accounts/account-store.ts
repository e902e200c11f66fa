import type { SqlDialect } from '../../sql/dialect.ts'
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

export const accountReads = [
  ...(['any', 'anyUser', 'find', 'users', 'keys', 'callerByKey', 'callerBySession'] as const),
  ...(['invited', 'calendarOwner', 'findIdentified', 'identitiesOf'] as const),
] as const

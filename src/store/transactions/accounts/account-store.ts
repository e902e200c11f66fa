import type { SqlDialect } from '../../sql/dialect.ts'
import { auditWriter } from './audit-entries.ts'
import { correctionWork } from './corrections.ts'
import { credentialWork, invitationWork } from './credentials.ts'
import { identityWork } from './identities.ts'
import { keptFormWork } from './kept-forms.ts'
import { setUpCodeWork } from './set-up-codes.ts'
import { trimWork } from './trim.ts'
import { userWork } from './users.ts'

/** All operations that identify and admit callers, by name. */
export function accountWorks(dialect: SqlDialect) {
  const audit = auditWriter(dialect)
  return {
    ...userWork(dialect, audit),
    ...credentialWork(dialect, audit),
    ...invitationWork(dialect, audit),
    ...identityWork(dialect),
    ...keptFormWork(dialect),
    ...setUpCodeWork(dialect),
    ...trimWork(dialect),
    ...correctionWork(dialect),
  }
}

export const accountReads = [
  ...(['any', 'anyUser', 'find', 'users', 'keys', 'callerByKey', 'callerBySession'] as const),
  ...(['invited', 'calendarOwner', 'hasCalendar', 'findIdentified', 'identitiesOf', 'corrections'] as const),
] as const

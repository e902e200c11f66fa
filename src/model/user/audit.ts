import { nullable } from '../../values/kinds/kind.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import type { DoneBy } from '../event.ts'
import { assigned, type ThingOf } from '../field.ts'
import { defineManagedThing } from '../managed/managed-thing.ts'
import { actorName } from './user.ts'

const DAY = 86_400_000

/** Milliseconds for which an entry is kept: a year, and time to look back at it. */
export const AUDIT_KEPT = 400 * DAY

/** Everything about access that is written down. */
const auditEvents = [
  'set-up',
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'session-ended',
  'sessions-ended',
  'user-created',
  'user-changed',
  'role-changed',
  'user-disabled',
  'user-enabled',
  'user-removed',
  'user-linked',
  'password-set',
  'user-invited',
  'invitation-accepted',
  'key-made',
  'key-withdrawn',
  'calendar-opened',
  'calendar-revoked',
] as const
export type AuditEvent = (typeof auditEvents)[number]

export const record = defineManagedThing('record', {
  id: assigned(uuid),
  at: assigned(instant),
  event: assigned(choice(auditEvents)),
  /** Who did it; null for the command line, and for callers who are not known. */
  actor: assigned(nullable(actorName)),
  /** The name of the actor's key, if it was done with one. */
  actorKey: assigned(nullable(actorName)),
  /** Whom it is about; null where a failed attempt named nobody who exists. */
  user: assigned(nullable(actorName)),
  /** The key that was made or withdrawn. */
  key: assigned(nullable(actorName)),
  address: assigned(nullable(text({ min: 1, max: 64 }))),
  detail: assigned(nullable(text({ min: 1, max: 400 }))),
})

export type AuditEntry = ThingOf<typeof record.fields>

/** Who changes something about access, and from where. */
export interface Author extends DoneBy {
  readonly address: string | null
}

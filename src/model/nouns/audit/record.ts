import { nullable } from '../../../values/kinds/kind.ts'
import { choice, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { bySchema } from '../../declaration/by-schema.ts'
import { assigned, type ThingOf } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { Schema } from '../../declaration/schema.ts'
import { actorName } from '../user/user.ts'

const DAY = 86_400_000

/** Milliseconds for which an entry is kept: a year, and time to look back at it. */
export const AUDIT_KEPT = 400 * DAY

/** Events of the audit other than operations: signing in, and setting up. */
const besideOperations = {
  'set-up': 'Service set up',
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'sign-out': 'Signed out',
  'invitation-accepted': 'Invitation accepted',
}

/** Every event of the audit, with its English text for people. */
export const auditEvents = bySchema(
  ({ audited }: Schema): ReadonlyMap<string, string> =>
    new Map([
      ...Object.entries(besideOperations),
      ...audited
        .flatMap(({ operations }) => operations)
        .flatMap(({ audit = {} }) => Object.entries(audit).map(([event, { title }]) => [event, title] as const)),
    ]),
)

/** An entry of the audit, which is the feed of the resources that it tells of. It never shows in `/events`, nor in webhooks. */
export const record = defineResource({
  feed: 'audit',
  name: 'record',
  plural: 'audit',
  path: '/audit',
  key: 'id',
  fields: {
    id: assigned(uuid),
    at: assigned(instant),
    event: assigned(text({ min: 1, max: 64 })),
    /** The actor; null for the command line, and for unknown callers. */
    actor: assigned(nullable(actorName)),
    /** The name of the actor's key, if one was used. */
    actorKey: assigned(nullable(actorName)),
    /** The user it is about; null if a failed attempt named no existing user. */
    user: assigned(nullable(actorName)),
    /** The created or withdrawn key. */
    key: assigned(nullable(actorName)),
    address: assigned(nullable(text({ min: 1, max: 64 }))),
    detail: assigned(nullable(text({ min: 1, max: 400 }))),
  },
  unfiltered: ['detail'],
  kindsIn: (schema: Schema) => ({ event: choice([...auditEvents(schema).keys()]) }),
  roles: { reads: 'admin', writes: 'admin' },
  title: ({ event }) => ({ text: '{event}', with: { event } }),
})

export type AuditEntry = ThingOf<typeof record.fields>

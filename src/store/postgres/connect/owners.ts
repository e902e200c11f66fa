import { randomUUID } from 'node:crypto'
import type { EndedOwners } from '../../transactions/webhooks/delivery-leases.ts'
import { ask } from '../../transactions/work.ts'

/** The owner of claims: a session that holds the lock of that name while it lasts (connection.ts). */
export const newOwner = (): string => `session ${randomUUID()}`

/** Those whose lock is free. */
export const endedOwners: EndedOwners = function* (owners) {
  const ended = yield* ask(ENDED, owners)
  return ended.map(([owner]) => String(owner))
}

const ENDED = {
  name: 'ended-owners',
  text: `WITH sessions AS MATERIALIZED (SELECT owner FROM unnest($1::text[]) AS owner WHERE owner LIKE 'session %')
    SELECT owner FROM sessions WHERE pg_try_advisory_xact_lock(hashtextextended(owner, 0))`,
}

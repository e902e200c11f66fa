import type { Held, WebhookStore } from '../port/webhook-store.ts'
import { clockSteps } from '../work/clock-steps.ts'
import { after, inMilliseconds, NOW } from './clock.ts'
import type { Connections } from './connections.ts'

export function deliveryHolder({ write, owner }: Connections): Pick<WebhookStore, 'renew' | 'release'> {
  const wentBack = clockSteps()
  return {
    async renew(held: readonly Held[], lease: number) {
      const places = [held.map(({ webhook }) => webhook), held.map(({ number }) => number)]
      await write(owner, KEEP, [...places, owner, lease])
      const [[now] = []] = await write(owner, FREE, [])
      if (wentBack(Number(now))) await write(owner, WAIT_FROM_NOW, [])
    },
    async release() {
      await write(owner, GIVE_BACK, [owner])
    },
  }
}

const KEEP = {
  name: 'keep-deliveries',
  text: `UPDATE deliveries SET claimed_until = ${inMilliseconds('$4::bigint')}
    FROM unnest($1::text[], $2::bigint[]) AS held (webhook, number)
    WHERE webhook_id = webhook AND deliveries.number = held.number AND claimed_by = $3`,
}

/**
 * What those had taken whose session has ended: its lock is free then (connections.ts). Of owners that are named
 * otherwise nothing is known; their time runs out. Answers with the clock's milliseconds.
 */
const FREE = {
  name: 'free-deliveries',
  text: `WITH owners AS MATERIALIZED (
      SELECT DISTINCT claimed_by AS owner FROM deliveries WHERE claimed_by IS NOT NULL
    ),
    gone AS MATERIALIZED (
      SELECT owner FROM owners WHERE owner LIKE 'session %' AND pg_try_advisory_xact_lock(hashtextextended(owner, 0))
    ),
    freed AS (
      UPDATE deliveries SET claimed_until = NULL, claimed_by = NULL FROM gone WHERE claimed_by = owner
    )
    SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint`,
}

/** The wait that was decided is kept, and begins now. */
const WAIT_FROM_NOW = {
  name: 'wait-from-now',
  text: `UPDATE deliveries SET
      next_try_at = CASE WHEN last_try_at IS NULL THEN ${NOW}
        ELSE ${after("greatest(next_try_at::timestamptz - last_try_at::timestamptz, interval '0')")} END,
      last_try_at = least(last_try_at, ${NOW})
    WHERE status = 'pending' AND next_try_at > ${NOW} AND coalesce(last_try_at, created_at) > ${NOW}`,
}

const GIVE_BACK = {
  name: 'give-back',
  text: 'UPDATE deliveries SET claimed_until = NULL, claimed_by = NULL WHERE claimed_by = $1',
}

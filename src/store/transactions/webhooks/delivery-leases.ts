import type { DeliveryClaim } from '../../port/webhook-store.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, askAll, bind, type Work } from '../work.ts'

/** The ended ones among the owners of claims. Nothing is known about other owners: their leases run out. */
export type EndedOwners = (owners: readonly string[]) => Work<readonly string[]>

/** Claims last while their owner lives, and are freed when it has ended. */
export function leaseWork(dialect: SqlDialect, endedOwners: EndedOwners) {
  const { CLOCK, KEEP, OWNERS, FREE, AHEAD, RESCHEDULE } = statements(dialect)
  const wentBack = clockSteps()

  return {
    *renew(held: readonly DeliveryClaim[], lease: number, owner: string): Work<void> {
      const keep = held.map(({ webhook, number }) => bind(KEEP, webhook, number, owner, lease))
      const [[[now] = []] = [], others = []] = yield* askAll([bind(CLOCK), bind(OWNERS, owner), ...keep])
      const ended = others.length === 0 ? [] : yield* endedOwners(others.map(([other]) => String(other)))
      yield* askAll(ended.map((other) => bind(FREE, other)))
      if (wentBack(Date.parse(String(now)))) yield* waitFromNow()
    },

    *release(owner: string): Work<void> {
      yield* ask(FREE, owner)
    },
  }

  /** The decided wait is kept, and begins now. */
  function* waitFromNow(): Work<void> {
    const ahead = yield* ask(AHEAD)
    yield* askAll(
      ahead.map(([webhook, number, nextTryAt, lastTryAt]) => {
        const wait = lastTryAt === null ? 0 : Date.parse(String(nextTryAt)) - Date.parse(String(lastTryAt))
        return bind(RESCHEDULE, webhook, number, Math.max(0, wait))
      }),
    )
  }
}

/** More milliseconds than a usual clock correction. */
const STEP = 2000

/**
 * Returns for each reading of a clock, in milliseconds, whether it went back since the previous one; also true for the
 * first, for which it is unknown. The time that this process measures between two readings never goes back.
 */
function clockSteps(): (now: number) => boolean {
  let offset = Number.POSITIVE_INFINITY
  return (now) => {
    const before = offset
    offset = now - performance.now()
    return offset < before - STEP
  }
}

const statements = (dialect: SqlDialect) =>
  statementsIn(dialect, 'deliveries', {
    CLOCK: `SELECT ${dialect.now}`,
    KEEP: `UPDATE deliveries SET claimed_until = ${dialect.fromNow('?4')}
      WHERE webhook_id = ?1 AND number = ?2 AND claimed_by = ?3`,
    OWNERS: 'SELECT DISTINCT claimed_by FROM deliveries WHERE claimed_by IS NOT NULL AND claimed_by <> ?1',
    FREE: 'UPDATE deliveries SET claimed_until = NULL, claimed_by = NULL WHERE claimed_by = ?1',
    AHEAD: `SELECT webhook_id, number, next_try_at, last_try_at FROM deliveries
      WHERE status = 'pending' AND next_try_at > ${dialect.now} AND coalesce(last_try_at, created_at) > ${dialect.now}
      ORDER BY webhook_id, number`,
    RESCHEDULE: `UPDATE deliveries SET next_try_at = ${dialect.fromNow('?3')},
        last_try_at = CASE WHEN last_try_at > ${dialect.now} THEN ${dialect.now} ELSE last_try_at END
      WHERE webhook_id = ?1 AND number = ?2`,
  })

import type { CancelledDeals, Store } from '../port/store.ts'
import { type SqlDialect, statementIn } from '../sql/dialect.ts'
import type { Row } from '../sql/statement.ts'
import { type BoundStatement, bind } from './work.ts'

/** `scan` runs statements where nobody waits for them. */
export function cancelledDeals(
  dialect: SqlDialect,
  scan: (statements: readonly BoundStatement[]) => Promise<readonly (readonly Row[])[]>,
): Store['cancelledDeals'] {
  // When a deal was cancelled is in its history; a deal that was not touched since cannot have been cancelled since.
  // Products with 1.0 are doubles in SQLite and numerics in PostgreSQL: neither overflows.
  const CANCELLED = statementIn(dialect, {
    name: 'cancelled deals',
    text: `SELECT substr(cancelled_at, 1, 7), currency, sum(price_thousandths * 1.0) FROM (
      SELECT currency, price_thousandths,
        (SELECT max(at) FROM events WHERE subject = deals.id AND operation = 'cancel') AS cancelled_at
      FROM deals WHERE status = 'cancelled' AND deleted_at IS NULL AND updated_at >= ?1) AS those
      WHERE cancelled_at >= ?1 GROUP BY 1, 2`,
  })
  return async (since) => {
    const [rows = []] = await scan([bind(CANCELLED, since)])
    return rows.map(
      ([month, currency, value]): CancelledDeals => ({
        month: String(month),
        currency: String(currency),
        value: Number(value) / 1000,
      }),
    )
  }
}

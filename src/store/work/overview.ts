import type { Deal } from '../../model/deal/deal.ts'
import type { DealSum, Overview } from '../port/overview.ts'
import type { Store } from '../port/store.ts'
import { type SqlDialect, statementsIn } from '../sql/dialect.ts'
import type { Row } from '../sql/statement.ts'
import { type BoundStatement, bind } from './work.ts'

/** Sums and counts over everything: `scan` runs statements where nobody waits for them. */
export function overviews(
  dialect: SqlDialect,
  scan: (statements: readonly BoundStatement[]) => Promise<readonly (readonly Row[])[]>,
): Pick<Store, 'overview' | 'ages'> {
  const { ATTENTION, PIPELINE, COMPLETED, CANCELLED, AGES } = statements(dialect)
  return {
    async overview({ today, dueUntil, since }) {
      const rows = await scan([
        bind(ATTENTION, today, dueUntil),
        bind(PIPELINE),
        bind(COMPLETED, `${since}-01`),
        bind(CANCELLED, since),
      ])
      return readOverview(rows)
    },
    async ages() {
      const [rows = []] = await scan([bind(AGES)])
      return rows.map(([from, count]) => ({ from: Number(from), count: Number(count) }))
    },
  }
}

const statements = (dialect: SqlDialect) =>
  statementsIn(dialect, 'overview', {
    // Products with 1.0 are doubles in SQLite and numerics in PostgreSQL: neither overflows.
    ATTENTION: `SELECT sum(CASE WHEN held THEN 1 ELSE 0 END), sum(CASE WHEN completion_date < ?1 THEN 1 ELSE 0 END),
      sum(CASE WHEN completion_date >= ?1 AND completion_date <= ?2 THEN 1 ELSE 0 END)
      FROM deals WHERE status = 'open' AND deleted_at IS NULL`,
    PIPELINE: `SELECT stage, currency, count(*), sum(price_thousandths * 1.0)
      FROM deals WHERE status = 'open' AND deleted_at IS NULL GROUP BY stage, currency`,
    COMPLETED: `SELECT substr(completed_on, 1, 7), currency, count(*), sum(price_thousandths * 1.0)
      FROM deals WHERE status = 'completed' AND deleted_at IS NULL AND completed_on >= ?1 GROUP BY 1, 2`,
    // When a deal was cancelled is in its history; a deal that was not touched since cannot have been cancelled since.
    CANCELLED: `SELECT substr(cancelled_at, 1, 7), currency, count(*), sum(price_thousandths * 1.0) FROM (
      SELECT currency, price_thousandths,
        (SELECT max(at) FROM events WHERE subject = deals.id AND operation = 'cancel') AS cancelled_at
      FROM deals WHERE status = 'cancelled' AND deleted_at IS NULL AND updated_at >= ?1) AS those
      WHERE cancelled_at >= ?1 GROUP BY 1, 2`,
    AGES: 'SELECT age / 10 * 10, count(*) FROM customers WHERE age IS NOT NULL GROUP BY 1 ORDER BY 1',
  })

function readOverview([
  counts = [],
  pipeline = [],
  completed = [],
  cancelled = [],
]: readonly (readonly Row[])[]): Overview {
  const [held, overdue, due] = counts[0] ?? []
  const finished = (status: 'completed' | 'cancelled', rows: readonly Row[]) =>
    rows.map((row) => ({ month: String(row[0]), status, ...sumOf(row) }))
  return {
    held: Number(held ?? 0),
    overdue: Number(overdue ?? 0),
    due: Number(due ?? 0),
    pipeline: pipeline.map((row) => ({ stage: row[0] as Deal['stage'], ...sumOf(row) })),
    finished: [...finished('completed', completed), ...finished('cancelled', cancelled)],
  }
}

const sumOf = ([, currency, count, value]: Row): DealSum => ({
  currency: String(currency),
  count: Number(count),
  value: Number(value),
})

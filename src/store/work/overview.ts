import type { Deal } from '../../model/deal/deal.ts'
import { type Dialect, raw, textFor } from '../sql/sql.ts'

/** The numbers of the home page. Sums are in thousandths, and exact as far as a double is. */
export interface Overview {
  readonly held: number
  readonly overdue: number
  readonly due: number
  readonly pipeline: readonly ({ readonly stage: Deal['stage'] } & Sum)[]
  readonly finished: readonly ({ readonly month: string; readonly status: 'completed' | 'cancelled' } & Sum)[]
}

interface Sum {
  readonly currency: string
  readonly count: number
  readonly value: number
}

/** What the overview is of: days as dates. */
export interface OverviewOf {
  readonly today: string
  /** The last day on which something is due. */
  readonly dueUntil: string
  /** The first month that is counted, such as 2026-06. */
  readonly since: string
}

export interface Statement {
  readonly text: string
  readonly values: readonly string[]
}

// Products with 1.0 are doubles in SQLite and numerics in PostgreSQL: neither overflows.
const attention = `SELECT sum(CASE WHEN held THEN 1 ELSE 0 END), sum(CASE WHEN completion_date < ? THEN 1 ELSE 0 END),
  sum(CASE WHEN completion_date >= ? AND completion_date <= ? THEN 1 ELSE 0 END)
  FROM deals WHERE status = 'open' AND deleted_at IS NULL`
const pipeline = `SELECT stage, currency, count(*), sum(price_thousandths * 1.0)
  FROM deals WHERE status = 'open' AND deleted_at IS NULL GROUP BY stage, currency`
const completed = `SELECT substr(completed_on, 1, 7), currency, count(*), sum(price_thousandths * 1.0)
  FROM deals WHERE status = 'completed' AND deleted_at IS NULL AND completed_on >= ? GROUP BY 1, 2`
// When a deal was cancelled is in its history; a deal that was not touched since cannot have been cancelled since.
const cancelled = `SELECT substr(cancelled_at, 1, 7), currency, count(*), sum(price_thousandths * 1.0) FROM (
  SELECT currency, price_thousandths, (SELECT max(at) FROM events WHERE deal_id = deals.id AND operation = 'cancel') AS cancelled_at
  FROM deals WHERE status = 'cancelled' AND deleted_at IS NULL AND updated_at >= ?) AS those
  WHERE cancelled_at >= ? GROUP BY 1, 2`

/** They look at every deal: an adapter runs them where nobody waits. */
export function overviewStatements({ today, dueUntil, since }: OverviewOf, dialect: Dialect): readonly Statement[] {
  const statement = (text: string, ...values: readonly string[]) => ({ text: textFor(dialect, raw(text)), values })
  return [
    statement(attention, today, today, dueUntil),
    statement(pipeline),
    statement(completed, `${since}-01`),
    statement(cancelled, since, since),
  ]
}

type Rows = readonly (readonly unknown[])[]

export function readOverview([counts = [], pipeline = [], completed = [], cancelled = []]: readonly Rows[]): Overview {
  const [held, overdue, due] = counts[0] ?? []
  const finished = (status: 'completed' | 'cancelled', rows: Rows) =>
    rows.map((row) => ({ month: String(row[0]), status, ...sumOf(row) }))
  return {
    held: Number(held ?? 0),
    overdue: Number(overdue ?? 0),
    due: Number(due ?? 0),
    pipeline: pipeline.map((row) => ({ stage: row[0] as Deal['stage'], ...sumOf(row) })),
    finished: [...finished('completed', completed), ...finished('cancelled', cancelled)],
  }
}

const sumOf = ([, currency, count, value]: readonly unknown[]): Sum => ({
  currency: String(currency),
  count: Number(count),
  value: Number(value),
})

/** How many customers there are of each ten ages. */
export const agesText = 'SELECT age / 10 * 10, count(*) FROM customers WHERE age IS NOT NULL GROUP BY 1 ORDER BY 1'

export interface AgeCount {
  readonly from: number
  readonly count: number
}

export const readAges = (rows: Rows): readonly AgeCount[] =>
  rows.map(([from, count]) => ({ from: Number(from), count: Number(count) }))

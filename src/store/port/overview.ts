import type { Deal } from '../../model/deal/deal.ts'

/** The numbers of the home page. Sums are in thousandths, and exact as far as a double is. */
export interface Overview {
  readonly held: number
  readonly overdue: number
  readonly due: number
  readonly pipeline: readonly ({ readonly stage: Deal['stage'] } & DealSum)[]
  readonly finished: readonly ({ readonly month: string; readonly status: 'completed' | 'cancelled' } & DealSum)[]
}

export interface DealSum {
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

/** How many customers there are of ten ages. */
export interface AgeCount {
  readonly from: number
  readonly count: number
}

import type { DealPlace } from '../../model/nouns/deal/place.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { DataObject } from '../../representations/read-document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { addDays } from '../../values/kinds/time.ts'
import { askGroups } from '../parts/ask.ts'
import { thousandthsOf } from '../parts/money.ts'
import type { Amount } from '../parts/shown.ts'
import type { CurrencySum } from '../reporting/reporting.ts'

export type Alert = 'held' | 'overdue' | 'due'

/** The numbers of the home page. */
export interface HomeNumbers {
  readonly counts: Readonly<Record<Alert, number>>
  readonly pipeline: readonly PipelineSum[]
  readonly finished: readonly FinishedSum[]
}

interface PipelineSum extends CurrencySum, DealPlace {
  readonly count: number
}

interface FinishedSum extends CurrencySum {
  readonly month: string
  readonly status: 'completed' | 'cancelled'
}

/** The deals of each alert: all, or those of an owner. */
export function alertFilters(today: string, within = ''): Readonly<Record<Alert, string>> {
  const open = `status=open${within}`
  return {
    overdue: `${open}&completionDate.lt=${today}`,
    due: `${open}&completionDate.gte=${today}&completionDate.lte=${addDays(today, 6)}`,
    held: `${open}&held=true`,
  }
}

export const ownedBy = (owner: string | undefined): string =>
  owner === undefined ? '' : `&owner.eq=${encodeURIComponent(owner)}`

/** The queries of deals for the numbers; programs can use them too. */
export function numberQueries(
  today: string,
  within = '',
): Readonly<Record<Alert | 'pipeline' | 'completed' | 'cancelled', string>> {
  const { overdue, due, held } = alertFilters(today, within)
  const [since] = monthsUntil(today)
  return {
    overdue: `${overdue}&measure=count`,
    due: `${due}&measure=count`,
    held: `${held}&measure=count`,
    pipeline: `status=open${within}&group=pipeline,stage,currency&measure=count,sum.price`,
    completed: `status=completed${within}&completedOn.gte=${since}-01&group=completedOn.month,currency&measure=sum.price`,
    cancelled: `status=cancelled${within}&closedAt.gte=${since}-01T00:00:00Z&group=closedAt.month,currency&measure=sum.price`,
  }
}

export async function readNumbers(desk: Desk, today: string, within = ''): Promise<HomeNumbers> {
  const queries = numberQueries(today, within)
  const groups = (query: string) => askGroups(desk, collectionsOf(desk.schema).deals, query)
  const countOf = async (query: string): Promise<number> => Number((await groups(query))[0]?.count)
  const [overdue, due, held, pipeline, completed, cancelled] = await Promise.all([
    countOf(queries.overdue),
    countOf(queries.due),
    countOf(queries.held),
    groups(queries.pipeline),
    groups(queries.completed),
    groups(queries.cancelled),
  ])
  return {
    counts: { overdue, due, held },
    pipeline: pipeline.map((group) => ({
      pipeline: String(group.pipeline),
      stage: String(group.stage),
      count: Number(group.count),
      ...sumOf(group),
    })),
    finished: [
      ...completed.map((group) => finished('completed', group['completedOn.month'], group)),
      ...cancelled.map((group) => finished('cancelled', group['closedAt.month'], group)),
    ],
  }
}

const finished = (status: FinishedSum['status'], month: unknown, group: DataObject): FinishedSum => ({
  status,
  month: String(month),
  ...sumOf(group),
})

const sumOf = (group: DataObject): CurrencySum => ({
  currency: String(group.currency),
  value: thousandthsOf(group['sum.price'] as Amount),
})

const MONTHS = 6

/** The last months, including the current one. */
export function monthsUntil(today: string): readonly string[] {
  const last = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1
  return Array.from({ length: MONTHS }, (_, at) => {
    const month = last - MONTHS + 1 + at
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

import { collections } from '../../queries/collections.ts'
import type { Store } from '../../store/port/store.ts'
import { ask } from '../parts/ask.ts'
import { addDays } from '../parts/moment.ts'
import type { ShownDeal } from '../parts/shown.ts'

export type Alert = 'held' | 'overdue' | 'due'

/** The numbers of the home page. Amounts are as exact as a double. */
export interface HomeNumbers {
  readonly counts: Readonly<Record<Alert, number>>
  readonly pipeline: readonly PipelineSum[]
  readonly finished: readonly FinishedSum[]
}

interface PipelineSum {
  readonly stage: ShownDeal['stage']
  readonly currency: string
  readonly count: number
  readonly value: number
}

interface FinishedSum {
  readonly month: string
  readonly status: 'completed' | 'cancelled'
  readonly currency: string
  readonly value: number
}

/** The deals of each alert. */
export const alertFilters = (today: string): Readonly<Record<Alert, string>> => ({
  overdue: `status=open&completionDate.lt=${today}`,
  due: `status=open&completionDate.gte=${today}&completionDate.lte=${addDays(today, 6)}`,
  held: 'status=open&held=true',
})

/** The queries of deals that give the numbers; programs can ask them too. */
export function numberQueries(today: string): Readonly<Record<Alert | 'pipeline' | 'completed' | 'cancelled', string>> {
  const { overdue, due, held } = alertFilters(today)
  const [since] = monthsUntil(today)
  return {
    overdue: `${overdue}&measure=count`,
    due: `${due}&measure=count`,
    held: `${held}&measure=count`,
    pipeline: 'status=open&group=stage,currency&measure=count,sum.price',
    completed: `status=completed&completedOn.gte=${since}-01&group=completedOn.month,currency&measure=sum.price`,
    cancelled: `status=cancelled&closedAt.gte=${since}-01T00:00:00Z&group=closedAt.month,currency&measure=sum.price`,
  }
}

export async function readNumbers(store: Store, today: string): Promise<HomeNumbers> {
  const queries = numberQueries(today)
  const [overdue, due, held, pipeline, completed, cancelled] = await Promise.all([
    countOf(store, queries.overdue),
    countOf(store, queries.due),
    countOf(store, queries.held),
    groupsOf(store, queries.pipeline),
    groupsOf(store, queries.completed),
    groupsOf(store, queries.cancelled),
  ])
  return {
    counts: { overdue, due, held },
    pipeline: pipeline.map((group) => ({
      stage: group.stage as ShownDeal['stage'],
      currency: String(group.currency),
      count: Number(group.count),
      value: Number(group['sum.price']),
    })),
    finished: [
      ...completed.map((group) => finished('completed', group['completedOn.month'], group)),
      ...cancelled.map((group) => finished('cancelled', group['closedAt.month'], group)),
    ],
  }
}

const finished = (
  status: FinishedSum['status'],
  month: unknown,
  group: { readonly [name: string]: unknown },
): FinishedSum => ({
  status,
  month: String(month),
  currency: String(group.currency),
  value: Number(group['sum.price']),
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

const countOf = async (store: Store, query: string): Promise<number> => Number((await groupsOf(store, query))[0]?.count)

async function groupsOf(store: Store, query: string): Promise<readonly { readonly [name: string]: unknown }[]> {
  const { items } = await ask(store, collections.deals, `${query}&maxpagesize=1000`)
  return items.map((json) => JSON.parse(json) as { readonly [name: string]: unknown })
}

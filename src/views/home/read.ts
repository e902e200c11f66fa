import { collections } from '../../queries/collections.ts'
import { mayDo } from '../../values/role.ts'
import { adaptiveCache } from '../parts/adaptive-cache.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readActivity, readDeal } from '../parts/shown.ts'
import { showTodaysTasks } from '../parts/tasks/read.ts'
import type { View, Visit } from '../parts/visit.ts'
import { type Alert, type HomeNumbers, monthsUntil, readNumbers } from './numbers.ts'
import { alertQueries, homePage, type Pipeline } from './view.ts'

const SHOWN = 5
const ACTIVITIES = 12
const FEWEST_MONTHS = 4

const numbersOf = adaptiveCache(readNumbers)

export async function showHome(visit: Visit): Promise<View> {
  const { store, addresses } = visit.service
  const { deals, events } = collections
  const now = new Date().toISOString()
  const today = now.slice(0, 10)
  const asked = alertQueries(today)
  const first = async (alert: Alert) =>
    (await ask(store, deals, `${asked[alert]}&maxpagesize=${SHOWN}`)).items.map(readDeal)
  const [numbers, held, overdue, due, latest, tasks] = await Promise.all([
    numbersOf(store, today),
    first('held'),
    first('overdue'),
    first('due'),
    ask(store, events, `sort=-sequence&maxpagesize=${ACTIVITIES}`),
    showTodaysTasks(now, visit),
  ])
  const activity = await namedEntries(latest.items.map(readActivity), store)
  return () =>
    homePage({
      attention: {
        held: { count: numbers.counts.held, deals: held },
        overdue: { count: numbers.counts.overdue, deals: overdue },
        due: { count: numbers.counts.due, deals: due },
      },
      pipelines: pipelinesOf(numbers),
      finished: finishedOf(numbers, monthsWith(numbers, monthsUntil(today))),
      activity,
      mayCreate: mayDo(visit, 'editor'),
      tasks,
      now,
      addresses,
    })
}

/** Largest first. */
function pipelinesOf({ pipeline }: HomeNumbers): readonly Pipeline[] {
  const totals = [...Map.groupBy(pipeline, ({ currency }) => currency)].map(([currency, sums]) => ({
    currency,
    stages: new Map(sums.map(({ stage, value, count }) => [stage, { value, count }])),
    total: sums.reduce((sum, { value }) => sum + value, 0),
  }))
  return totals.toSorted((a, b) => b.total - a.total)
}

function finishedOf({ finished }: HomeNumbers, months: readonly string[]) {
  return [...Map.groupBy(finished, ({ currency }) => currency)]
    .map(([currency, sums]) => {
      const value = (month: string, status: string): number =>
        sums.filter((sum) => sum.month === month && sum.status === status).reduce((all, sum) => all + sum.value, 0)
      return {
        currency,
        months: months.map((month) => ({
          month,
          completed: value(month, 'completed'),
          cancelled: value(month, 'cancelled'),
        })),
        total: sums.reduce((all, sum) => all + sum.value, 0),
      }
    })
    .toSorted((a, b) => b.total - a.total)
}

/** Leaves out the months before the first finished deal, but shows at least four. */
function monthsWith({ finished }: HomeNumbers, months: readonly string[]): readonly string[] {
  const used = new Set(finished.map(({ month }) => month))
  const first = months.findIndex((month) => used.has(month))
  return months.slice(first === -1 ? -FEWEST_MONTHS : Math.min(first, months.length - FEWEST_MONTHS))
}

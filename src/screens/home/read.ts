import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { mayDo } from '../../values/role.ts'
import { ask } from '../parts/ask.ts'
import { namedActivities } from '../parts/happenings/named-entries.ts'
import { isUser, type Screen } from '../parts/screen.ts'
import { readActivity, readDeal } from '../parts/shown.ts'
import { untilChanged } from '../parts/until-changed.ts'
import { readReporting } from '../reporting/read.ts'
import { type Reporting, reportedSum } from '../reporting/reporting.ts'
import { readOwnAttainment } from '../reports/read.ts'
import { also } from '../reports/report.ts'
import { readLateTasks, showTodaysTasks } from '../task-panel/read.ts'
import { type Alert, type HomeNumbers, monthsUntil, ownedBy, readNumbers } from './numbers.ts'
import { alertQueries, homePage, type MonthSums } from './view.ts'

const SHOWN = 5
const ACTIVITIES = 12
const FEWEST_MONTHS = 4

const numbersOf = untilChanged((desk, _key, today: string, within: string) => readNumbers(desk, today, within))

/** What happened last, with the names of customers. */
const activityOf = untilChanged(async (_shared, _caller, own: Desk) => {
  const latest = await ask(own, collectionsOf(own.schema).events, `sort=-sequence&maxpagesize=${ACTIVITIES}`)
  return namedActivities(
    latest.items.map((json) => readActivity(json, own.schema)),
    own,
    { latest: true },
  )
})

export async function showHome(call: Call): Promise<Screen> {
  const { addresses } = call.service
  const { deals } = collectionsOf(call.desk.schema)
  const now = new Date().toISOString()
  const today = dayIn(now, call.reader.timeZone)
  const pipeline = call.parameters.get('pipeline') || undefined
  const { owner, numbers } = await ownOrAll(today, pipeline, call)
  const within = ownedBy(owner) + also('pipeline', pipeline)
  const asked = alertQueries(today, within)
  const first = async (alert: Alert) => ({
    count: numbers.counts[alert],
    deals:
      numbers.counts[alert] === 0
        ? []
        : (await ask(call.desk, deals, `${asked[alert]}&maxpagesize=${SHOWN}`)).items.map(readDeal),
  })
  const [held, overdue, due, activity, tasks, lateTasks, reporting] = await Promise.all([
    first('held'),
    first('overdue'),
    first('due'),
    activityOf(call.desk, JSON.stringify(call.desk.caller ?? null), call.desk),
    showTodaysTasks(now, owner, call),
    readLateTasks(today, owner, call),
    readReporting(call, today),
  ])
  const attainment = await readOwnAttainment(call, reporting, now)
  const mayCreate = mayDo(call, 'editor')
  const isEmpty =
    owner === undefined && pipeline === undefined && numbers.pipeline.length === 0 && (await hasNone(call.desk))
  return () =>
    homePage({
      schema: call.desk.schema,
      attention: { held, overdue, due },
      pipeline: numbers.pipeline,
      finished: finishedOf(numbers, today, reporting),
      attainment,
      reporting,
      activity,
      mayCreate,
      first: isEmpty && mayCreate ? { mayInvite: mayDo(call, 'admin'), reporting, addresses } : undefined,
      tasks,
      lateTasks,
      owner,
      askedPipeline: pipeline,
      within,
      isUser: isUser(call),
      today,
      now,
      addresses,
    })
}

/** Whether there has never been a deal, as far as the caller may see. */
const hasNone = async (desk: Desk): Promise<boolean> =>
  (await ask(desk, collectionsOf(desk.schema).deals, 'maxpagesize=1')).items.length === 0

/** A user's own day comes first; a user without open deals sees everybody's, unless they chose. */
async function ownOrAll(
  today: string,
  pipeline: string | undefined,
  { caller, reader, desk }: Call,
): Promise<{ readonly owner: string | undefined; readonly numbers: HomeNumbers }> {
  const numbers = (owner: string | undefined) => {
    const within = ownedBy(owner) + also('pipeline', pipeline)
    return numbersOf(desk, JSON.stringify([today, within]), today, within)
  }
  const user = caller?.user ?? undefined
  if (user !== undefined && reader.day !== 'everyone') {
    const own = await numbers(user)
    if (own.pipeline.length > 0 || reader.day === 'mine') return { owner: user, numbers: own }
  }
  return { owner: undefined, numbers: await numbers(undefined) }
}

/** The deals finished in each month, in the reporting currency. */
function finishedOf(numbers: HomeNumbers, today: string, reporting: Reporting): readonly MonthSums[] {
  const of = (month: string, status: 'completed' | 'cancelled') =>
    reportedSum(
      numbers.finished.filter((sum) => sum.month === month && sum.status === status),
      reporting,
    )
  return monthsWith(numbers, monthsUntil(today)).map((month) => ({
    month,
    completed: of(month, 'completed'),
    cancelled: of(month, 'cancelled'),
  }))
}

/** Leaves out the months before the first finished deal, but shows at least four. */
function monthsWith({ finished }: HomeNumbers, months: readonly string[]): readonly string[] {
  const used = new Set(finished.map(({ month }) => month))
  const first = months.findIndex((month) => used.has(month))
  return months.slice(first === -1 ? -FEWEST_MONTHS : Math.min(first, months.length - FEWEST_MONTHS))
}

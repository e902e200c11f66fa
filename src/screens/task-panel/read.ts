import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import { beginningOf } from '../../languages/zones.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { type Collection, fieldOf } from '../../queries/collection.ts'
import { collectionNamed } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import type { Desk } from '../../store/port/desk.ts'
import { asSegment } from '../../values/address.ts'
import { addDays } from '../../values/kinds/time.ts'
import { creationForm } from '../forms/operation-form.ts'
import { ask, askGroups } from '../parts/ask.ts'
import { type Names, readNames } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import { readTask } from '../parts/shown.ts'
import { untilChanged } from '../parts/until-changed.ts'
import { taskPanel } from './panel.ts'
import { tickForm } from './tick.ts'

const SHOWN = 20
const OPEN = `status=open&sort=dueOn&limit=${SHOWN}`
const SHOWN_TODAY = 8

/** The subject of a page's tasks, with the names of the API. */
export type TasksAbout = Partial<Pick<Task, 'dealId' | 'customerId' | 'assignee'>>

/** The panel of the open tasks about a deal, a customer or a person, and the one that is due first. */
export async function showTasks(about: TasksAbout, now: string, call: Call): Promise<ShownTasks> {
  const { addresses } = call.service
  const search = Object.entries(about).map(([name, value]) => `${name}.eq=${encodeURIComponent(String(value))}`)
  const collection = collectionNamed(call.desk.schema, 'tasks')
  const { items, hasMore } = await ask(call.desk, collection, OPEN, scopeOf(collection, about))
  const tasks = items.map(readTask)
  const isOfPerson = about.assignee !== undefined && about.assignee !== null
  const panel = {
    ...panelParts(now, call, about),
    tasks,
    hasMore,
    all: `${addresses.tasks}?${search.join('&')}&sort=dueOn`,
    ...(isOfPerson ? { person: String(about.assignee), names: await namesIn(tasks, call.desk) } : { isInStream: true }),
    creation: newTask(call, about),
  }
  return { screen: () => taskPanel(panel), next: tasks[0] }
}

export interface ShownTasks {
  readonly screen: Screen
  readonly next: Task | undefined
}

/** Not in the text of the query, which is the same for all subjects, and is parsed once. */
const scopeOf = (collection: Collection, about: TasksAbout): Filter =>
  Object.entries(about).map(([name, value]) => ({
    field: fieldOf(collection, name),
    operator: 'eq',
    values: [value],
  }))

/** The panel of tasks that are due today or overdue: an assignee's, or everybody's, of which the user's own come first. */
export async function showTodaysTasks(now: string, assignee: string | undefined, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const user = call.caller?.user ?? null
  const today = dayIn(now, call.reader.timeZone)
  const due = `status=open&${dueUntil(today, call)}&sort=dueOn`
  const read = async (search: string, most: number) =>
    (await ask(call.desk, collectionNamed(call.desk.schema, 'tasks'), `${search}&limit=${most}`)).items.map(readTask)
  const [mine, all] = await Promise.all([
    user === null ? [] : read(`${due}&assignee.eq=${encodeURIComponent(user)}`, 1 + SHOWN_TODAY),
    assignee === undefined ? read(due, 2 * SHOWN_TODAY) : [],
  ])
  const found = [...mine, ...all.filter(({ assignee }) => user === null || assignee !== user)]
  const tasks = found.slice(0, SHOWN_TODAY)
  const panel = {
    ...panelParts(now, call, {}),
    isToday: true,
    user,
    tasks,
    hasMore: found.length > SHOWN_TODAY,
    all: `${addresses.tasks}?status=open&sort=dueOn`,
    ...(user !== null && { mine: `${addresses.tasks}?assignee=me&status=open&sort=dueOn` }),
    names: await namesIn(tasks, call.desk),
    // A task for today stays on the page.
    creation: newTask(call, {}, { dueOn: today }),
  }
  return () => taskPanel(panel)
}

const dueUntil = (day: string, { reader }: Call): string =>
  `or=(dueAt.lt.${beginningOf(addDays(day, 1), reader.timeZone)},and(dueAt.is.null,dueOn.lte.${day}))`

/** The overdue tasks, and the query of their list. */
export interface LateTasks {
  readonly count: number
  readonly query: string
}

/** The overdue tasks of everybody, or of an assignee. */
export async function readLateTasks(today: string, assignee: string | undefined, call: Call): Promise<LateTasks> {
  const own = assignee === undefined ? '' : `&assignee.eq=${encodeURIComponent(assignee)}`
  const late = `status=open&${dueUntil(addDays(today, -1), call)}${own}`
  return { count: await countOf(call.desk, late), query: `${late}&sort=dueOn` }
}

const countOf = untilChanged(async (desk: Desk, query: string) => {
  const [all] = await askGroups(desk, collectionNamed(desk.schema, 'tasks'), `${query}&measure=count`)
  return Number(all?.count)
})

const panelParts = (now: string, call: Call, about: TasksAbout) => ({
  ticks: tickForm(call, pageAbout(about, call.desk.schema)),
  today: dayIn(now, call.reader.timeZone),
  timeZone: call.reader.timeZone,
  addresses: call.service.addresses,
})

/** The panel on the page of a subject, or on the home page. */
function pageAbout({ dealId, customerId, assignee }: TasksAbout, schema: Schema): string {
  const page =
    typeof dealId === 'string'
      ? `${resourceNamed(schema, 'deal').path}/${dealId}`
      : typeof customerId === 'number'
        ? `${resourceNamed(schema, 'customer').path}/${customerId}`
        : typeof assignee === 'string'
          ? `/people/${asSegment(assignee)}`
          : '/'
  return `${page}#tasks`
}

function newTask(call: Call, about: TasksAbout, given: Partial<Pick<Task, 'dueOn'>> = {}) {
  const form = creationForm(resourceNamed(call.desk.schema, 'task'), call, {
    assignee: call.caller?.user ?? null,
    ...about,
    ...given,
  })
  if (form === undefined) return undefined
  const { assignee: _assignee, ...hidden } = about
  const texts = Object.entries(hidden).map(([name, value]) => [name, String(value)])
  return {
    ...form,
    hidden: { ...form.hidden, ...Object.fromEntries(texts), _return: pageAbout(about, call.desk.schema) },
  }
}

const namesIn = (tasks: readonly Task[], desk: Desk): Promise<Names> =>
  readNames(resourceNamed(desk.schema, 'task'), tasks, desk)

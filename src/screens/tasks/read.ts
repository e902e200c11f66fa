import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/resources.ts'
import { collectionOf } from '../../queries/collections.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { withQuery } from '../../values/address.ts'
import { readSavedViews } from '../list/saved-views.ts'
import { readTotals } from '../list/totals.ts'
import { creationForm } from '../page-forms/operation-form.ts'
import { readTask } from '../parts/shown.ts'
import { isUser, type ShownList, type View, type Visit } from '../parts/visit.ts'
import { subjectsOf } from '../task-panel/read.ts'
import { tickForm } from '../task-panel/tick.ts'
import { tasksPage } from './view.ts'

/** A list of tasks, by the time when they are due. */
export async function showTaskList(list: ShownList, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const task = resourceNamed(visit.desk.schema, 'task')
  const tasks = await mapInTurns(list.items, readTask)
  const back = withQuery(visit.path, list.parameters)
  // The tasks of one deal or customer have an address of their own, where none are added or filtered.
  const isWhole = visit.path === task.path
  const form = isWhole ? creationForm(task, visit, { assignee: visit.caller?.user ?? null }) : undefined
  const [subjects, saved, totals] = await Promise.all([
    subjectsOf(tasks, visit.desk),
    readSavedViews(task.plural, visit),
    isWhole ? readTotals(collectionOf(task), list, tasks, visit) : undefined,
  ])
  const page = {
    ...list,
    resource: task,
    tasks,
    subjects,
    saved,
    total: totals?.count,
    role: visit.role,
    ticks: tickForm(visit, back),
    creation: form && { ...form, hidden: { ...form.hidden, _return: back } },
    isWhole,
    isUser: isUser(visit),
    today: dayIn(new Date().toISOString(), visit.reader.timeZone),
    timeZone: visit.reader.timeZone,
    address: addresses.base + visit.path,
    addresses,
  }
  return () => tasksPage(page)
}

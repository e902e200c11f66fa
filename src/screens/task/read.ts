import { dayIn } from '../../languages/formats.ts'
import { membersToCreate } from '../../model/resource.ts'
import { operationsOnExisting, resourceNamed, whyNotNow } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import type { Task } from '../../model/task/task.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import type { Stored } from '../../store/port/desk.ts'
import { mayDo } from '../../values/role.ts'
import { thingForm } from '../page-forms/operation-form.ts'
import { withPicked } from '../page-forms/picks.ts'
import { readPicked } from '../page-forms/read-picked.ts'
import { explained, type FormRefusal } from '../page-forms/refused-form.ts'
import { sentAgain } from '../page-forms/sent-again.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readEntry, readTask } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import { subjectsOf } from '../task-panel/read.ts'
import { type TaskPage, taskPage } from './view.ts'

const ENTRIES = 30

/** A task with what can be done with it, and its history. */
export async function showTask(stored: Stored, visit: Visit): Promise<View> {
  const page = await readTaskPage(stored, visit)
  return () => taskPage(page)
}

async function readTaskPage(stored: Stored, visit: Visit): Promise<TaskPage> {
  const { addresses } = visit.service
  const { history } = collectionsOf(visit.desk.schema)
  const resource = resourceNamed(visit.desk.schema, 'task')
  const task = readTask(stored.json)
  const now = new Date().toISOString()
  const ofTask: Filter = [equals(history, 'task', task.id)]
  const [entries, subjects, picked] = await Promise.all([
    ask(visit.desk, history, `sort=-revision&maxpagesize=${ENTRIES}`, ofTask),
    subjectsOf([task], visit.desk),
    readPicked(referencesIn(task), membersToCreate(resource), visit.desk),
  ])
  const possible = mayDo(visit, resource.roles.writes)
    ? operationsOnExisting(resource).filter((operation) => whyNotNow(operation, { ...task }, now) === undefined)
    : []
  return {
    resource,
    task,
    subjects,
    forms: possible.map((operation) => ({
      operation,
      form: withPicked(thingForm(operation, stored, { ...task }, addresses), picked),
    })),
    history: await namedEntries(entries.items.map(readEntry), visit.desk),
    today: dayIn(now, visit.reader.timeZone),
    timeZone: visit.reader.timeZone,
    addresses,
  }
}

/** The deal or customer as a form would send it. */
const referencesIn = ({ dealId, customerId }: Task): ReadonlyMap<string, string> =>
  new Map(
    Object.entries({ dealId, customerId }).flatMap(([name, id]) => (id === null ? [] : [[name, String(id)] as const])),
  )

/** A refused form is shown again, with what was filled in and what is wrong with it. */
export async function showRefusedTask(
  refusal: FormRefusal,
  operation: Operation,
  fields: ReadonlyMap<string, string>,
  visit: Visit,
): Promise<View | undefined> {
  const resource = resourceNamed(visit.desk.schema, 'task')
  const stored = await visit.desk.find(resource, visit.params.id ?? '')
  if (stored === undefined) return undefined
  const page = await readTaskPage(stored, visit)
  const changing = page.forms.find((each) => each.operation.differences)
  const again =
    operation.differences && changing
      ? await sentAgain(changing.form, fields, refusal, { resource, stored }, visit)
      : undefined
  return () => {
    const forms = page.forms.map((each) => (again && each === changing ? { ...each, form: again() } : each))
    return taskPage({ ...page, forms, refused: explained(refusal, changing?.form) })
  }
}

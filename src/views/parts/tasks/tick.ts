import { finish } from '../../../model/task/operations/finish.ts'
import { reopen } from '../../../model/task/operations/reopen.ts'
import { type Task, task } from '../../../model/task/task.ts'
import type { DocumentForm } from '../../../representations/document.ts'
import { mayDo } from '../../../values/role.ts'
import { thingForm } from '../../page-forms/operation-form.ts'
import type { Visit } from '../visit.ts'

/** The form that finishes a task, or opens it again. */
export type TickForms = (task: Task) => DocumentForm

/** The forms lead back to `back`; nothing for callers who may only read. */
export function tickForms(visit: Visit, back: string): TickForms | undefined {
  if (!mayDo(visit, task.roles.writes)) return undefined
  return (each) => {
    const operation = each.status === 'done' ? reopen : finish
    const form = thingForm(operation, each, { ...each }, visit.service.addresses)
    return { ...form, hidden: { ...form.hidden, _return: back } }
  }
}

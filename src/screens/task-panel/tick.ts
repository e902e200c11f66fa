import { resourceNamed } from '../../model/resources.ts'
import { finish } from '../../model/task/operations/finish.ts'
import { reopen } from '../../model/task/operations/reopen.ts'
import type { Task } from '../../model/task/task.ts'
import { mayDo } from '../../values/role.ts'
import { newCommandId } from '../page-forms/command-id.ts'
import type { Visit } from '../parts/visit.ts'

/** What the form around a list of tasks sends: each task has a button of its own, with the address and a command id. */
export interface TickForm {
  readonly hidden: { readonly [name: string]: string }
  /** One for each button: the next may be pressed before the first is answered. */
  readonly commandId: () => string
  /** Where a task is finished, or opened again. */
  readonly action: (task: Task) => string
}

/** The form leads back to `back`; nothing for callers who may only read. */
export function tickForm(visit: Visit, back: string): TickForm | undefined {
  const task = resourceNamed(visit.desk.schema, 'task')
  if (!mayDo(visit, task.roles.writes)) return undefined
  const { addresses } = visit.service
  return {
    hidden: { _return: back },
    commandId: newCommandId,
    action: (each) => `${addresses.thing(task, each.id)}/${(each.status === 'done' ? reopen : finish).words.noun}`,
  }
}

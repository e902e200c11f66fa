import type { Call } from '../../http/contract/endpoint.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { finish } from '../../model/nouns/task/operations/finish.ts'
import { reopen } from '../../model/nouns/task/operations/reopen.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { newCommandId } from '../forms/command-id.ts'

/** The form around a list of tasks: each task has its own button, with the address and a command id. */
export interface TickForm {
  readonly hidden: { readonly [name: string]: string }
  /** One for each button: the next may be pressed before the first is answered. */
  readonly commandId: () => string
  /** The address that finishes a task, or opens it again. */
  readonly action: (task: Task) => string
}

/** The form returns to `back`; undefined for callers who may only read. */
export function tickForm(call: Call, back: string): TickForm | undefined {
  const task = resourceNamed(call.desk.schema, 'task')
  if (!mayEver(call, task)) return undefined
  const { addresses } = call.service
  return {
    hidden: { _return: back },
    commandId: newCommandId,
    action: (each) => `${addresses.thing(task, each.id)}/${(each.status === 'done' ? reopen : finish).words.noun}`,
  }
}

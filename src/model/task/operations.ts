import { change } from './operations/change.ts'
import { create } from './operations/create.ts'
import { deleteTask } from './operations/delete.ts'
import { finish } from './operations/finish.ts'
import { reopen } from './operations/reopen.ts'

/** Everything that can be done with a task. */
export const taskOperations = [create, change, finish, reopen, deleteTask] as const

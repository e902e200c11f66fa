import { defineRemoval } from '../removal.ts'
import { change } from './operations/change.ts'
import { create } from './operations/create.ts'
import { finish } from './operations/finish.ts'
import { reopen } from './operations/reopen.ts'
import { task } from './task.ts'

/** Everything that can be done with a task. */
export const taskOperations = [create, change, finish, reopen, defineRemoval(task)] as const

import { change } from './operations/change.ts'
import { create } from './operations/create.ts'
import { deleteRate } from './operations/delete.ts'

/** Everything that can be done with a rate. */
export const rateOperations = [create, change, deleteRate] as const

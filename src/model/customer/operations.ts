import { change } from './operations/change.ts'
import { create } from './operations/create.ts'
import { deleteCustomer } from './operations/delete.ts'

/** Everything that can be done with a customer. */
export const customerOperations = [create, change, deleteCustomer] as const

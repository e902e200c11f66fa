import { defineRemoval } from '../removal.ts'
import { customer } from './customer.ts'
import { change } from './operations/change.ts'
import { create } from './operations/create.ts'

/** Everything that can be done with a customer. */
export const customerOperations = [create, change, defineRemoval(customer, 'admin')] as const

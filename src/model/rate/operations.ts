import { defineRemoval } from '../removal.ts'
import { change } from './operations/change.ts'
import { create } from './operations/create.ts'
import { rate } from './rate.ts'

/** Everything that can be done with a rate. */
export const rateOperations = [create, change, defineRemoval(rate)] as const

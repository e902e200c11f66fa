import { defineRemoval } from '../removal.ts'
import { change } from './operations/change.ts'
import { create } from './operations/create.ts'
import { view } from './view.ts'

/** Everything that can be done with a view. */
export const viewOperations = [create, change, defineRemoval(view)] as const

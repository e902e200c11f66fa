import { defineChange, defineCreation, defineRemoval } from '../../declaration/usual-operations.ts'
import { view } from './view.ts'

/** Everything that can be done with a view. */
export const viewOperations = [
  defineCreation(view, {
    said: { title: 'Save a view', done: 'saved the view' },
    examples: [
      { name: 'Large open deals', collection: 'deals', query: 'status=open&price.gte=10000&sort=-price' },
      { name: 'My open tasks', collection: 'tasks', query: 'status=open&sort=dueOn', shared: true },
    ],
  }),
  defineChange(view, {
    noun: 'changes',
    examples: [{ query: 'status=open&price.gte=20000' }, { shared: true }],
  }),
  defineRemoval(view),
] as const

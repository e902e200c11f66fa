import { defineOperation } from '../../operation.ts'
import { view } from '../view.ts'

export const create = defineOperation({
  on: view,
  name: 'create',
  title: 'Save a view',
  words: { participles: [], noun: '', action: 'CreateView', event: 'view.created' },
  group: 'Views',
  sentence: () => ({ done: 'saved the view' }),
  to: 'nothing',
  params: ({ create }) => create,
  examples: [
    { name: 'Large open deals', collection: 'deals', query: 'status=open&price.gte=10000&sort=-price' },
    { name: 'My open tasks', collection: 'tasks', query: 'status=open&sort=dueOn', shared: true },
  ],
  allowed: [],
  changes: [],
  apply: (_blank, fields) => fields,
})

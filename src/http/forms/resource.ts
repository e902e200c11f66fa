import { operationNamed } from '../../model/deal/operations.ts'
import { addressed } from './addressed.ts'
import { bare, DEALS, type Form } from './form.ts'
import { rawParams } from './parameters.ts'

const create = operationNamed('create')
const remove = operationNamed('delete')
if (create === undefined || remove === undefined) throw new Error('create and delete are not declared')

/** POST …/deals/ */
export const creation: Form = {
  name: 'resource',
  title: 'The collection',
  idea: 'What HTTP has a method for.',
  routes: [
    {
      method: 'POST',
      path: DEALS,
      documentedPath: `${DEALS}/`,
      summary: create.title,
      reads: ['application/json', 'application/x-www-form-urlencoded'],
      operation: create,
    },
  ],
  read: (call) => ({
    change: { action: create.name, params: rawParams(call, create) },
    pointers: bare,
    faults: [],
  }),
  body: ({ operation, params }) => (operation === create ? params : undefined),
  reply: 'created',
}

/** DELETE …/deals/{id} */
export const deletion: Form = {
  name: 'resource',
  title: 'The deal itself',
  idea: 'What HTTP has a method for.',
  routes: [{ method: 'DELETE', path: `${DEALS}/:id`, summary: remove.title, reads: [], operation: remove }],
  read: addressed,
  body: ({ operation, params }) => (operation === remove ? params : undefined),
  reply: 'deal',
}

import { dealOperations } from '../../model/deal/operations.ts'
import { addressed } from './addressed.ts'
import { DEALS, type Form } from './form.ts'

/** PUT …/deals/{id}/hold */
export const verb: Form = {
  name: 'verb',
  title: 'Verb segment',
  idea: 'The operation is the last segment, its parameters are the body.',
  routes: dealOperations.map((operation) => ({
    method: 'PUT',
    path: `${DEALS}/:id/${operation.name}`,
    summary: operation.title,
    reads: ['application/json'],
    operation,
  })),
  read: addressed,
  body: ({ params }) => params,
  reply: 'deal',
}

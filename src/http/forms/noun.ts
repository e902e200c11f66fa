import { dealOperations } from '../../model/deal/operations.ts'
import { addressed } from './addressed.ts'
import { DEALS, type Form } from './form.ts'

/** POST …/deals/{id}/holds */
export const noun: Form = {
  name: 'noun',
  routes: dealOperations.map((operation) => ({
    method: 'POST',
    path: `${DEALS}/:id/${operation.words.noun}`,
    summary: operation.title,
    reads: ['application/json', 'application/x-www-form-urlencoded'],
    operation,
  })),
  read: addressed,
  write: ({ params }) => params,
  beside: 'a new entry',
  reply: 'entry',
}

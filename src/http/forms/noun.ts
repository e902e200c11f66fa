import { dealOperations } from '../../model/deal/operations.ts'
import { addressed } from './addressed.ts'
import { DEALS, type Form } from './form.ts'

/** POST …/deals/{id}/holds */
export const noun: Form = {
  name: 'noun',
  title: 'Noun sub-collection',
  idea: 'A new entry in a list of the deal. The forms of these pages use it.',
  routes: dealOperations.map((operation) => ({
    method: 'POST',
    path: `${DEALS}/:id/${operation.words.noun}`,
    summary: operation.title,
    reads: ['application/json', 'application/x-www-form-urlencoded'],
    operation,
  })),
  read: addressed,
  body: ({ params }) => params,
  beside: 'a new entry',
  reply: 'entry',
}

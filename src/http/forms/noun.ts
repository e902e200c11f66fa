import { JSON_OR_FORM } from '../contract/endpoint.ts'
import { type Form, operationsIn } from '../contract/form.ts'
import { addressed } from './parts/addressed.ts'

/** POST …/deals/{id}/holds */
export const noun: Form<'noun'> = {
  name: 'noun',
  title: 'Noun sub-collection',
  idea: 'A new entry in the list that the noun names. The forms of these pages use it.',
  routes: (schema) =>
    schema.resources
      .flatMap((resource) => operationsIn(resource, 'noun'))
      .map((operation) => ({
        method: 'POST',
        path: `${operation.on.path}/:id/${operation.words.noun}`,
        summary: operation.title,
        reads: JSON_OR_FORM,
        operation,
      })),
  read: addressed,
  body: ({ params }) => params,
  beside: 'a new entry',
  reply: 'entry',
}

import { type Form, operationsIn } from '../contract/form.ts'
import { addressed } from './parts/addressed.ts'

/** PUT …/deals/{id}/hold */
export const verb: Form<'verb'> = {
  name: 'verb',
  title: 'Verb segment',
  idea: 'The operation is the last segment, its parameters are the body.',
  routes: (schema) =>
    schema.resources
      .flatMap((resource) => operationsIn(resource, 'verb'))
      .map((operation) => ({
        method: 'PUT',
        path: `${operation.on.path}/:id/${operation.name}`,
        summary: operation.title,
        reads: ['application/json'],
        operation,
      })),
  read: addressed,
  body: ({ params }) => params,
  reply: 'thing',
}

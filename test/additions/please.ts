import { type Form, resourcesIn } from '../../src/http/contract/form.ts'
import { addressed } from '../../src/http/forms/parts/addressed.ts'
import { operationsOnExisting } from '../../src/model/schema/resources.ts'

/** A form: POST …/deals/{id}/please/hold */
export const please: Form<'please'> = {
  name: 'please',
  title: 'Polite request',
  idea: 'The verb, with a word before it.',
  routes: (schema) =>
    resourcesIn(schema, 'please')
      .flatMap(operationsOnExisting)
      .map((operation) => ({
        method: 'POST',
        path: `${operation.on.path}/:id/please/${operation.name}`,
        summary: operation.title,
        reads: ['application/json'],
        operation,
      })),
  read: addressed,
  body: ({ params }) => params,
  beside: 'politely',
  reply: 'thing',
}

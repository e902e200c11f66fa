import { type Form, operationsIn } from '../contract/form.ts'
import { addressed } from './parts/addressed.ts'

/** PUT …/deals/{id}/holded */
export const participle: Form<'participle'> = {
  name: 'participle',
  title: 'Past participle',
  idea: 'The last segment names the state that is wanted.',
  routes: (schema) =>
    schema.resources
      .flatMap((resource) => operationsIn(resource, 'participle'))
      .flatMap((operation) =>
        operation.words.participles.map((word) => ({
          method: 'PUT' as const,
          path: `${operation.on.path}/:id/${word}`,
          summary: operation.title,
          reads: ['application/json' as const],
          operation,
        })),
      ),
  read: addressed,
  body: ({ params }) => params,
  beside: 'past participle',
  reply: 'thing',
}

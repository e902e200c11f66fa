import { dealOperations } from '../../model/deal/operations.ts'
import { addressed } from './addressed.ts'
import { DEALS, type Form } from './form.ts'

/** PUT …/deals/{id}/holded */
export const participle: Form = {
  name: 'participle',
  title: 'Past participle',
  idea: 'The last segment says what the deal shall be.',
  routes: dealOperations.flatMap((operation) =>
    operation.words.participles.map((word) => ({
      method: 'PUT' as const,
      path: `${DEALS}/:id/${word}`,
      summary: operation.title,
      reads: ['application/json' as const],
      operation,
    })),
  ),
  read: addressed,
  body: ({ params }) => params,
  beside: 'past participle',
  reply: 'deal',
}

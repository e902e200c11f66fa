import type { Endpoint } from '../../http/contract/endpoint.ts'
import { lazily } from '../../values/lazily.ts'

const rejected = lazily(() => import('./rejected-rows.ts'))

/** The rejected rows of an import as a file, with the reasons in the reader's language. */
export const rejectedEndpoint: Endpoint = {
  method: 'GET',
  role: 'editor',
  path: '/imports/:id/rejected',
  summary: 'The rows that were not imported',
  offers: 'content',
  types: ['text/csv'],
  describes: {
    group: 'Imports',
    answers: [
      {
        status: 200,
        shows: { content: 'text/csv' },
        headers: ['Content-Disposition'],
        when: 'The rows, each with its reason.',
      },
    ],
    refuses: ['import-not-found'],
  },
  handle: async (call) => (await rejected()).readRejected(call),
}

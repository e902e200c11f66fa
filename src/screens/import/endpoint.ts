import type { Endpoint } from '../../http/contract/endpoint.ts'
import { xlsx } from '../../representations/xlsx.ts'
import { lazily } from '../../values/lazily.ts'

const [XLSX] = xlsx.mediaTypes

const rejected = lazily(() => import('./rejected-rows.ts'))

/** The rejected rows of an import as a file, with the reasons in the reader's language. */
export const rejectedEndpoint: Endpoint = {
  method: 'GET',
  role: 'editor',
  path: '/imports/:id/rejected',
  summary: 'The rows that were not imported',
  offers: 'content',
  types: ['text/csv', XLSX],
  describes: {
    group: 'Imports',
    answers: ['text/csv', XLSX].map((content) => ({
      ...{ status: 200, shows: { content }, headers: ['Content-Disposition'] as const },
      when: 'The rows, each with its reason, as CSV, or as a workbook if the file was one.',
    })),
    refuses: ['import-not-found'],
  },
  handle: async (call) => (await rejected()).readRejected(call),
}

import { type Endpoint, MULTIPART } from '../../../http/contract/endpoint.ts'
import { lazily } from '../../../values/lazily.ts'
import type * as Answers from './answers.ts'

const answers = lazily(() => import('./answers.ts'))
const by =
  (name: keyof typeof Answers): Endpoint['handle'] =>
  async (call) =>
    (await answers())[name](call)

const page = { method: 'GET', role: 'editor', offers: 'resource', forPeople: true } as const
const form = { ...page, method: 'POST', reads: ['application/x-www-form-urlencoded'] } as const

/** The import of files in the browser. decisions/0051 */
export const importEndpoints: readonly Endpoint[] = [
  { ...page, path: '/import', summary: 'Import a file', handle: by('overview') },
  {
    ...page,
    method: 'POST',
    path: '/import',
    summary: 'Upload a file to import',
    reads: [MULTIPART],
    handle: by('upload'),
  },
  { ...page, path: '/import/:id', summary: 'An import', handle: by('read') },
  {
    ...form,
    path: '/import/:id/matchings',
    summary: 'Say how a file is read',
    handle: by('match'),
  },
  {
    ...form,
    path: '/import/:id/runs',
    summary: 'Import a file that was checked',
    handle: by('run'),
  },
  {
    ...form,
    path: '/import/:id/removals',
    summary: 'Remove an upload',
    handle: by('remove'),
  },
  {
    ...page,
    path: '/import/:id/rejected',
    summary: 'The rows that were not imported',
    offers: 'content',
    types: ['text/csv'],
    handle: by('readRejected'),
  },
]

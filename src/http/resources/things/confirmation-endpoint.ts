import { isResource, operationNamed, resourceNamed } from '../../../model/resources.ts'
import { showConfirmation } from '../../../views/confirmation/view.ts'
import type { Answer } from '../../answer.ts'
import type { Call, Endpoint } from '../../endpoint.ts'
import { findLive } from './find-thing.ts'

/** The question before what is final, for browsers without script. decisions/0048 */
export const confirmationEndpoint: Endpoint = {
  method: 'GET',
  path: '/confirm/:resource/:id/:operation',
  role: 'editor',
  summary: 'Ask before something that is final',
  offers: 'resource',
  pagesOnly: true,
  // The form behind the question sends them; the form of this page has its own.
  parameters: ['_revision', '_command', '_return'],
  handle: askFirst,
}

async function askFirst(call: Call): Promise<Answer> {
  const { resource = '', operation: word } = call.params
  const operation = isResource(resource) ? operationNamed(word, resourceNamed(resource)) : undefined
  if (operation === undefined || !operation.removes) {
    return { problem: { code: 'not-found', detail: 'Nothing final is called so.' } }
  }
  const found = await findLive(operation.on, call)
  if ('problem' in found) return found
  const page = showConfirmation(operation, found.thing, call)
  return { status: 200, document: { title: operation.title, kind: 'resource', item: 'question', json: '{}', page } }
}

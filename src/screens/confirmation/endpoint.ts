import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { forbidden, type Problem } from '../../http/contract/problems/problem.ts'
import { findLive } from '../../http/endpoints/things/find-thing.ts'
import { findUser } from '../../http/endpoints/users/addressed-user.ts'
import { findWebhook } from '../../http/endpoints/webhooks/addressed-webhook.ts'
import { say } from '../../languages/say.ts'
import { mayEver, roleNeeded } from '../../model/intent/caller.ts'
import { operationNamed } from '../../model/schema/resources.ts'
import { localPath } from '../../values/address.ts'
import { lazily } from '../../values/lazily.ts'
import { mayDo } from '../../values/role.ts'
import type { FinalQuestion } from './question.ts'

const questions = lazily(() => import('./question.ts'))
const markup = lazily(() => import('./view.ts'))

/** The question before a final operation, for browsers without script. decisions/0048 */
export const confirmationEndpoint: Endpoint = {
  method: 'GET',
  path: '/confirm/:resource/:id/:operation',
  role: 'editor',
  summary: 'Ask before something that is final',
  offers: 'resource',
  forPeople: true,
  // The form with the question sends them; this page's form has its own, and returns to the same page.
  parameters: ['_revision', '_command', '_return'],
  handle: askFirst,
}

type FoundQuestion = FinalQuestion | { readonly problem: Problem }

async function askFirst(call: Call): Promise<Answer> {
  const { resource = '', operation: word } = call.params
  const read = word === 'remove' && Object.hasOwn(removals, resource) ? removals[resource] : ofOperation
  const question = await read?.(call)
  if (question === undefined) return { problem: { code: 'not-found', detail: 'There is no such action to confirm.' } }
  if ('problem' in question) return question
  const { confirmationPage } = await markup()
  const screen = () => confirmationPage(question)
  return { status: 200, document: { title: question.title, kind: 'resource', item: 'question', json: '{}', screen } }
}

async function ofOperation(call: Call): Promise<FoundQuestion | undefined> {
  const resource = call.schema.resources.find(({ name }) => name === call.params.resource)
  const operation = resource && operationNamed(call.params.operation, resource)
  if (operation === undefined || !operation.removes) return undefined
  const { on } = operation
  if (!mayEver(call, on, operation)) return { problem: forbidden(roleNeeded(on, operation), call) }
  const found = await findLive(on, call)
  return 'problem' in found
    ? found
    : (await questions()).operationQuestion(operation, found.thing, call, localPath(call.parameters.get('_return')))
}

/** Removals for admins, without an operation. */
const removals: { readonly [kind: string]: (call: Call) => Promise<FoundQuestion> } = {
  async webhook(call) {
    if (!mayDo(call, 'admin')) return { problem: forbidden('admin', call) }
    const found = await findWebhook(call)
    if ('problem' in found) return found
    const { id, url } = found.webhook
    return (await questions()).removalQuestion(say('Remove the webhook'), url, call.service.addresses.webhook(id))
  },
  async user(call) {
    if (!mayDo(call, 'admin')) return { problem: forbidden('admin', call) }
    const found = await findUser({ ...call, params: { name: call.params.id ?? '' } })
    if ('problem' in found) return found
    const { name } = found.user
    return (await questions()).removalQuestion(say('Remove the user'), name, call.service.addresses.user(name))
  },
}

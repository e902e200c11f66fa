import { sendTestEvent, type TestedReceiver } from '../../../events/test-event.ts'
import { secretsAt, webhookState } from '../../../model/nouns/webhook/webhook.ts'
import type { Document } from '../../../representations/document.ts'
import { checkGuard } from '../../../values/guard.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Call, type Endpoint, JSON_OR_FORM } from '../../contract/endpoint.ts'
import { guardProblem } from '../../contract/problems/refusals.ts'
import type { Shown } from '../../contract/shown.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { readWritingWithoutKey, superfluousBody } from '../../write/intent.ts'
import { admin, findWebhook } from './addressed-webhook.ts'
import { webhookDocument } from './webhook-documents.ts'

const tested: WriteSuccess = {
  status: 200,
  shows: 'WebhookTest',
  headers: [],
  when: 'A test event was sent, once: what was sent and what the receiver answered. A dry run sends nothing.',
}

/** Sends a test event, as `webhook test` does. */
export const testEndpoint: Endpoint = {
  ...admin,
  method: 'POST',
  reads: JSON_OR_FORM,
  parameters: ['dry-run'],
  path: '/webhooks/:id/tests',
  summary: 'Send a test event',
  describes: {
    group: 'Webhooks',
    answers: [tested],
    refuses: ['webhook-not-found', 'stale-revision', 'precondition-failed', 'invalid-body'],
  },
  handle: test,
}

async function test(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { webhook } = found
  const failed = checkGuard({ ...asked.guard, required: false }, webhookState(webhook))
  if (failed !== undefined) return { problem: guardProblem(failed) }
  const superfluous = superfluousBody(call)
  if (superfluous !== undefined) return superfluous
  if (asked.dryRun) return answerWrite(tested, { dryRun: true }, call)
  const { settings, version } = call.service
  const secrets = secretsAt(webhook, new Date().toISOString())
  const target = { url: webhook.url, secrets, allowPrivate: settings.webhookAllowPrivate }
  const result = shownTest(await sendTestEvent(target, webhook.id, `Dealdesk/${version}`))
  const document: Document = {
    title: 'Test event',
    kind: 'resource',
    item: 'webhook-test',
    json: JSON.stringify(result),
  }
  const shown: Shown = { screen: 'webhook test', webhook: webhookDocument(webhook, call) }
  return answerWrite(tested, { dryRun: false, document: () => document, shown }, call)
}

/** Without the signature: with it, others could send the same content. */
const shownTest = ({ headers, body, reply, duration }: TestedReceiver) => ({
  request: { headers: { ...headers, 'webhook-signature': MASKED }, body },
  responseStatus: 'status' in reply ? reply.status : null,
  answer: 'answer' in reply ? reply.answer : null,
  error: 'error' in reply ? reply.error : null,
  duration,
})

/** Replaces a signature on pages. */
const MASKED = 'v1,***'

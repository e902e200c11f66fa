import { webhookState } from '../../../model/webhook/change.ts'
import { collections } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import { checkGuard } from '../../../values/guard.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { noSuch, refusalProblem } from '../../contract/problems/problem.ts'
import { accepted, overview } from '../../contract/success.ts'
import { readWritingWithoutKey, superfluousBody } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'
import { choosingFields } from '../things/thing-members.ts'
import { admin, findWebhook, writing } from './addressed-webhook.ts'
import { deliveryDocument, presentDelivery } from './webhook-documents.ts'

const deliveryViews = lazily(() => import('../../../views/deliveries/read.ts'))

const { deliveries } = collections
const redelivered = accepted('deliveries', 'It will be delivered once more, at once.')

/** The deliveries of a webhook, and their redelivery. */
export const deliveryEndpoints: readonly Endpoint[] = [
  collectionEndpoint({
    collection: deliveries,
    path: '/webhooks/:id/deliveries',
    summary: 'Deliveries',
    about: { group: 'Webhooks', refuses: ['webhook-not-found'] },
    role: 'admin',
    present: (json, { params }) => presentDelivery(json, params.id ?? ''),
    itemAddress: ({ number }, { service, params }) =>
      typeof number === 'number' ? service.addresses.delivery(params.id ?? '', number) : undefined,
    async scope(call) {
      const found = await findWebhook(call)
      if ('problem' in found) return found
      return { scope: [equals(deliveries, 'webhook', found.webhook.id)] }
    },
    page: async (list, visit) => (await deliveryViews()).showDeliveries(list, visit),
  }),
  choosingFields(deliveries, {
    ...admin,
    method: 'GET',
    path: '/webhooks/:id/deliveries/:number',
    summary: 'A delivery',
    describes: {
      group: 'Webhooks',
      answers: [overview({ one: 'deliveries' }, 'The delivery.')],
      refuses: ['webhook-not-found', 'delivery-not-found'],
    },
    handle: readDelivery,
  }),
  {
    ...writing,
    path: '/webhooks/:id/deliveries/:number/redeliveries',
    summary: 'Deliver once more',
    describes: {
      group: 'Webhooks',
      answers: [redelivered],
      refuses: ['webhook-not-found', 'delivery-not-found', 'invalid-body', 'webhook-ended'],
    },
    handle: redeliver,
  },
]

const deliveryNumber = ({ params }: Call): number =>
  /^[1-9]\d{0,15}$/.test(params.number ?? '') && Number.isSafeInteger(Number(params.number)) ? Number(params.number) : 0

function noDelivery({ params }: Call): Answer {
  return { problem: { code: 'delivery-not-found', detail: noSuch('delivery', params.number ?? '') } }
}

async function readDelivery(call: Call): Promise<Answer> {
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { store, addresses } = call.service
  const json = await store.webhooks.delivery(found.webhook.id, deliveryNumber(call))
  if (json === undefined) return noDelivery(call)
  const document = deliveryDocument(json, found.webhook.id, addresses)
  const { withDeliveryPage } = await deliveryViews()
  return { status: 200, document: await withDeliveryPage(document, found.webhook, call) }
}

async function redeliver(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { webhook } = found
  const { store, addresses } = call.service
  const number = deliveryNumber(call)
  const known = await store.webhooks.delivery(webhook.id, number)
  if (known === undefined) return noDelivery(call)
  const failed = checkGuard({ ...asked.guard, required: false }, webhookState(webhook))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const superfluous = superfluousBody(call)
  if (superfluous !== undefined) return superfluous
  if (webhook.status === 'ended') {
    return {
      problem: {
        code: 'webhook-ended',
        detail: { text: 'The webhook ended because {why}.', with: { why: webhook.endedBecause } },
      },
    }
  }
  const { dryRun } = asked
  const json = (dryRun ? undefined : await store.webhooks.redeliver(webhook.id, number)) ?? known
  const address = addresses.delivery(webhook.id, number)
  const document = () => deliveryDocument(json, webhook.id, addresses)
  return answerWrite(redelivered, { dryRun, document, address, next: address }, call)
}

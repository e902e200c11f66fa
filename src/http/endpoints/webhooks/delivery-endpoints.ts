import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { Document } from '../../../representations/document.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import type { RefusedCall } from '../../contract/problems/problem.ts'
import type { Shown } from '../../contract/shown.ts'
import { accepted, overview } from '../../contract/success.ts'
import { auditedList, findAudited, noAudited } from '../audited/audited-reads.ts'
import { auditedWrite } from '../audited/audited-writes.ts'
import { choosingFields } from '../things/thing-members.ts'
import { admin, findWebhook } from './addressed-webhook.ts'
import { deliveryDocument, presentDelivery } from './webhook-documents.ts'

/** The deliveries of a webhook, and their redelivery. */
export const deliveryEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { deliveries } = collectionsOf(schema)
  const resource = resourceNamed(schema, 'delivery')
  const [redeliver] = resource.operations as readonly [Operation]
  return [
    auditedList(resource, {
      path: '/webhooks/:id/deliveries',
      about: { group: 'Webhooks', refuses: ['webhook-not-found'] },
      present: (json, { params }) => presentDelivery(json, params.id ?? ''),
      itemAddress: ({ number }, { service, params }) =>
        typeof number === 'number' ? service.addresses.delivery(params.id ?? '', number) : undefined,
      async scope(call) {
        const found = await findWebhook(call)
        if ('problem' in found) return found
        return { scope: [equals(deliveries, 'webhook', found.webhook.id)] }
      },
      screen: 'deliveries',
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
    ...auditedWrite({
      operation: redeliver,
      group: 'Webhooks',
      addressed: ({ params: { id = '', number } }) => ({ within: { webhook: id }, target: number }),
      at: 'POST /webhooks/:id/deliveries/:number/redeliveries',
      success: accepted('deliveries', 'It will be delivered once more, at once.'),
      refuses: ['webhook-not-found', 'delivery-not-found', 'invalid-body', 'webhook-ended'],
      async show({ dryRun }, call) {
        const found = await findDelivery(call)
        if ('problem' in found) throw new Error('a delivery is gone that was just requested')
        const address = call.service.addresses.delivery(call.params.id ?? '', Number(call.params.number))
        const { document, shown } = found
        return { document: () => document, shown, ...(!dryRun && { address, next: address }) }
      },
    }),
  ]
}

async function readDelivery(call: Call): Promise<Answer> {
  const found = await findDelivery(call)
  return 'problem' in found ? found : { status: 200, ...found }
}

async function findDelivery(call: Call): Promise<{ readonly document: Document; readonly shown: Shown } | RefusedCall> {
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { webhook } = found
  const resource = resourceNamed(call.schema, 'delivery')
  const json = await findAudited(resource, { webhook: webhook.id, number: call.params.number ?? '' }, call.desk)
  if (json === undefined) return { problem: noAudited(resource, call) }
  return { document: deliveryDocument(json, webhook.id, call), shown: { screen: 'delivery', webhook } }
}

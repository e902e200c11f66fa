import { managedNamed } from '../../../model/managed/decide-managed.ts'
import type { Schema } from '../../../model/schema.ts'
import { deliveryOperations } from '../../../model/webhook/delivery.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { accepted, overview } from '../../contract/success.ts'
import { findManaged, managedList, noManaged } from '../managed-reads.ts'
import { managedWrite } from '../managed-writes.ts'
import { choosingFields } from '../things/thing-members.ts'
import { admin, admins, findWebhook } from './addressed-webhook.ts'
import { deliveryDocument, presentDelivery } from './webhook-documents.ts'

/** The deliveries of a webhook, and their redelivery. */
export const deliveryEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { deliveries } = collectionsOf(schema)
  return [
    managedList(managedNamed(schema, 'delivery'), {
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
    ...managedWrite({
      ...admins,
      operation: deliveryOperations.redeliver,
      at: 'POST /webhooks/:id/deliveries/:number/redeliveries',
      success: accepted('deliveries', 'It will be delivered once more, at once.'),
      refuses: ['webhook-not-found', 'delivery-not-found', 'invalid-body', 'webhook-ended'],
      show: ({ facts: { webhook }, thing: json }, call) => {
        const address = call.service.addresses.delivery(webhook.id, Number(call.params.number))
        const document = () => deliveryDocument(json, webhook.id, call)
        return { document, shown: { screen: 'delivery', webhook }, address, next: address }
      },
    }),
  ]
}

async function readDelivery(call: Call): Promise<Answer> {
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { webhook } = found
  const resource = managedNamed(call.schema, 'delivery')
  const json = await findManaged(resource, { webhook: webhook.id, number: call.params.number ?? '' }, call.desk)
  if (json === undefined) return { problem: noManaged(resource, call) }
  return { status: 200, document: deliveryDocument(json, webhook.id, call), shown: { screen: 'delivery', webhook } }
}

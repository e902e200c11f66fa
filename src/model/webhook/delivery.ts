import { described, nullable } from '../../values/kinds/kind.ts'
import { integer } from '../../values/kinds/number.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import { eventTypeKind } from '../event-types.ts'
import { assigned, internal } from '../field.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import { defineManagedResource } from '../managed/managed-resource.ts'
import type { Schema } from '../schema.ts'
import { webhookState } from './operations.ts'
import type { StoredWebhook } from './webhook.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** An event on its way to a receiver. */
export const delivery = defineManagedResource({
  name: 'delivery',
  plural: 'deliveries',
  path: '/webhooks/:webhook/deliveries',
  key: 'number',
  fields: {
    id: assigned(
      described(text({ min: 0, max: 100 }), { description: 'The id of the message, as the receiver knows it.' }),
    ),
    number: assigned(count),
    event: assigned(described(text({ min: 0, max: 100 }), { description: 'The event’s `sequence`.' })),
    type: assigned(text({ min: 1, max: 100 })),
    subject: assigned(text({ min: 1, max: 40 })),
    deal: assigned(nullable(uuid)),
    status: assigned(choice(['pending', 'delivered', 'failed', 'cancelled'])),
    attempts: assigned(count),
    lastTryAt: assigned(nullable(instant)),
    responseStatus: assigned(nullable(count)),
    duration: assigned(nullable(count)),
    answer: assigned(nullable(described(text({ min: 0, max: 10_000 }), { description: 'How the answer began.' }))),
    error: assigned(nullable(text({ min: 1, max: 200 }))),
    nextTryAt: assigned(nullable(instant)),
    createdAt: assigned(instant),
    webhook: internal(uuid),
  },
  unfiltered: ['id', 'event', 'answer'],
  kindsIn: (schema: Schema) => ({ type: eventTypeKind(schema) }),
  roles: { reads: 'admin', writes: 'admin' },
  title: ({ number }) => ({ text: 'Delivery {number}', with: { number: String(number) } }),
})

/** A delivery, as JSON text, and its webhook. */
export interface DeliveryFacts {
  readonly webhook: StoredWebhook
  readonly json: string
}

const redeliver = defineManaged({
  on: 'delivery',
  name: 'redeliver',
  title: 'Deliver again',
  params: () => ({}),
  state: ({ webhook }: DeliveryFacts) => webhookState(webhook),
  refused: ({ webhook }: DeliveryFacts) =>
    webhook.status === 'ended' ? { code: 'webhook-ended', because: webhook.endedBecause } : undefined,
  apply: ({ json }: DeliveryFacts) => json,
})

export const deliveryOperations = { redeliver } as const

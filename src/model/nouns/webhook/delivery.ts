import { described, nullable } from '../../../values/kinds/kind.ts'
import { integer } from '../../../values/kinds/number.ts'
import { choice, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, internal } from '../../declaration/field.ts'
import { type DecidingFacts, defineAudited } from '../../declaration/operation.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { Schema } from '../../declaration/schema.ts'
import { eventTypeKind } from '../event-types.ts'
import { ended } from './operations.ts'
import { type StoredWebhook, webhookState } from './webhook.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** An event on its way to a receiver. */
export const delivery = defineResource({
  feed: 'audit',
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
  /** The state of its webhook, because that is the resource that the caller has seen. */
  state: (_delivery, known) => webhookState((known as DeliveryFacts).webhook),
  title: ({ number }) => ({ text: 'Delivery {number}', with: { number: String(number) } }),
})

/** The webhook of a delivery. */
export interface DeliveryFacts {
  readonly webhook: StoredWebhook
}

const redeliver = defineAudited({
  on: delivery,
  name: 'redeliver',
  noun: 'redeliveries',
  title: 'Deliver again',
  params: () => ({}),
  keepsState: true,
  apply: (_delivery, _params, _now, { known: { webhook } }: DecidingFacts<object, DeliveryFacts>) =>
    webhook.status === 'ended' ? { refused: ended(webhook) } : UNCHANGED,
})

/** A redelivery writes how it is sent, and leaves the delivery itself as it is. */
const UNCHANGED: object = {}

export const deliveryOperations = [redeliver] as const

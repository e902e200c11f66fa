import { defineManaged } from '../managed/managed-operation.ts'
import { webhookState } from './operations.ts'
import type { StoredWebhook } from './webhook.ts'

/** A delivery, as JSON text, and its webhook. */
export interface DeliveryFacts {
  readonly webhook: StoredWebhook
  readonly json: string
}

const redeliver = defineManaged({
  on: 'delivery',
  name: 'redeliver',
  title: 'Deliver once more',
  params: () => ({}),
  state: ({ webhook }: DeliveryFacts) => webhookState(webhook),
  refused: ({ webhook }: DeliveryFacts) =>
    webhook.status === 'ended' ? { code: 'webhook-ended', because: webhook.endedBecause } : undefined,
  apply: ({ json }: DeliveryFacts) => json,
})

export const deliveryOperations = { redeliver } as const

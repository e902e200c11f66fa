import { type DeliveryPace, deliveryPace } from '../../../src/events/delivery-pace.ts'
import { type FeedService, runFeedService } from '../service/feed-service.ts'

/** As the real one, many times as fast. */
export const quickPace: DeliveryPace = {
  ...deliveryPace,
  pauses: deliveryPace.pauses.slice(0, 4).map((pause) => Math.min(pause / 50, 200)),
  // Long enough for a machine that is busy with other things.
  timeout: 1500,
  lease: 3000,
  poll: 20,
}

export interface Subscription {
  readonly id: string
  readonly secret: string
}

export interface WebhookService extends FeedService {
  subscribe(url: string, types?: readonly string[]): Promise<Subscription>
  deliveries(id: string, query?: string): Promise<readonly Delivery[]>
}

export interface Delivery {
  readonly id: string
  readonly number: number
  readonly type: string
  readonly subject: string
  readonly deal: string | null
  readonly status: string
  readonly attempts: number
  readonly responseStatus: number | null
  readonly duration: number | null
  readonly answer: string | null
  readonly error: string | null
  readonly nextTryAt: string | null
}

export async function runWebhookService(
  environment: { readonly [name: string]: string } = { WEBHOOK_ALLOW_PRIVATE: 'true' },
  pace: DeliveryPace = quickPace,
): Promise<WebhookService> {
  const service = await runFeedService(environment, pace)
  return {
    ...service,
    async subscribe(url, types) {
      const response = await service.send('POST', '/webhooks', { url, ...(types && { types }) })
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
      return (await response.json()) as Subscription
    },
    async deliveries(id, query = '') {
      const response = await service.send('GET', `/webhooks/${id}/deliveries${query}`)
      return ((await response.json()) as { items: Delivery[] }).items
    },
  }
}

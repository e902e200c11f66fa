import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryPace } from '../../../src/events/delivery-pace.ts'
import { type FeedService, runFeedService } from '../service/feed-service.ts'
import { quickPace } from './quick-pace.ts'

export interface Subscription {
  readonly id: string
  readonly secret: string
}

export interface WebhookService extends FeedService {
  subscribe(url: string, types?: readonly string[]): Promise<Subscription>
  unsubscribe(id: string): Promise<void>
  deliveries(id: string, query?: string): Promise<readonly Delivery[]>
  /** The webhook's first delivery, once it is as is said. */
  settled(id: string, isSettled: (delivery: Delivery) => boolean): Promise<Delivery>
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
  const deliveries: WebhookService['deliveries'] = async (id, query = '') => {
    const response = await service.send('GET', `/webhooks/${id}/deliveries${query}`)
    return ((await response.json()) as { items: Delivery[] }).items
  }
  return {
    ...service,
    async subscribe(url, types) {
      const response = await service.send('POST', '/webhooks', { url, ...(types && { types }) })
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
      return (await response.json()) as Subscription
    },
    async unsubscribe(id) {
      await service.send('DELETE', `/webhooks/${id}`)
    },
    deliveries,
    async settled(id, isSettled) {
      for (;;) {
        const found = (await deliveries(id)).find(({ number }) => number === 1)
        if (found !== undefined && isSettled(found)) return found
        await wait(10)
      }
    },
  }
}

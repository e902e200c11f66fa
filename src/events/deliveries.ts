import { messageId } from '../model/nouns/webhook/signature.ts'
import type { Store } from '../store/port/store.ts'
import type { ClaimedDelivery, DeliveryResult } from '../store/port/webhook-store.ts'
import { type AttemptedWork, LeasedFollower } from '../work/leased-follower.ts'
import { type DeliveryPace, deliveryPace } from './delivery-pace.ts'
import { judge, PURGED } from './judge-reply.ts'
import { messageHeaders } from './message-headers.ts'
import { openWebhookClient, type ReceiverReply, type WebhookClient } from './webhook-client.ts'

export interface DeliveryOptions extends Pick<AttemptedWork<ClaimedDelivery, DeliveryResult>, 'onFault' | 'onResult'> {
  readonly allowPrivate: boolean
  readonly userAgent: string
  /** Begins to trace an attempt; the receiver may continue the trace. */
  readonly beginSpan?: (() => AttemptSpan) | undefined
  readonly pace?: DeliveryPace
}

interface AttemptSpan {
  readonly traceparent: string
  end(name: string, attributes: { readonly [name: string]: string | number }, isError: boolean): void
}

/** Calls the receivers of webhooks: each webhook is a subscription, and each of its deliveries is attempted. */
export function startDeliveries(store: Store, options: DeliveryOptions) {
  const { pace = deliveryPace, onFault, onResult } = options
  const client = openWebhookClient({ ...options, timeout: pace.timeout })
  return new LeasedFollower<ClaimedDelivery, DeliveryResult>({
    schedule: pace,
    leases: store.webhooks,
    async claim(request, results) {
      const { deliveries, more } = await store.webhooks.claim(request, results)
      return { claims: deliveries, more }
    },
    subscriptionOf: ({ webhook }) => webhook,
    async attempt(delivery) {
      const started = performance.now()
      const reply = await send(delivery, client, options)
      const duration = Math.round(performance.now() - started)
      const { webhook, number, failures } = delivery
      return { webhook, number, duration, ...judge(reply, failures + 1, pace.pauses) }
    },
    isSuccess: ({ status }) => status === 'delivered',
    abort: client.close,
    trim: () => store.webhooks.trim(new Date(Date.now() - pace.keep).toISOString()),
    onEvents: (call) => store.onEvents(call),
    onFault,
    onResult,
  })
}

async function send(
  { webhook, number, url, secrets, event }: ClaimedDelivery,
  client: WebhookClient,
  { beginSpan, userAgent }: DeliveryOptions,
): Promise<ReceiverReply> {
  if (event === null) return PURGED
  const span = beginSpan?.()
  const headers = {
    ...(span && { traceparent: span.traceparent }),
    ...messageHeaders(messageId(webhook, number), event, secrets, userAgent),
  }
  const reply = await client.post(url, headers, event)
  const status = 'status' in reply ? { 'http.response.status_code': reply.status } : {}
  span?.end('deliver', { 'dealdesk.webhook': webhook, 'dealdesk.delivery': number, ...status }, !('status' in reply))
  return reply
}

import type { StoredWebhook } from '../../model/nouns/webhook/webhook.ts'
import type { ClaimRequest, LeasedWork } from '../../work/leased-work.ts'

/** Webhooks and their deliveries. Lists of both are pages like those of every collection. */
export interface WebhookStore extends LeasedWork<DeliveryClaim, DeliveryResult> {
  find(id: string): Promise<StoredWebhook | undefined>
  /** The attempts of a delivery before its last one, as a JSON list. */
  tries(webhook: string, number: number): Promise<string>
  /** The state of the receivers of these webhooks. */
  health(ids: readonly string[]): Promise<ReadonlyMap<string, ReceiverHealth>>
  /**
   * Settles claimed deliveries, creates deliveries of the feed's events for active webhooks, and claims those that are
   * due, all in one transaction: a delivery that waited for a settled one is claimed at once. A claim is exclusive
   * until its lease ends, by the database's clock.
   */
  claim(request: ClaimRequest, results: readonly DeliveryResult[]): Promise<ClaimedDeliveries>
  /** Removes some deliveries finished before an instant, and some of removed webhooks; returns whether there may be more. */
  trim(before: string): Promise<boolean>
  backlog(): Promise<Backlog>
}

/** A receiver's state, from its last attempts. */
export interface ReceiverHealth {
  /** Since when no attempt has succeeded; null while they do. */
  readonly failingSince: string | null
  readonly lastError: string | null
  /** The last successful delivery, to the minute; null if there is none. */
  readonly deliveredAt: string | null
  /** The next attempt of a failed delivery. */
  readonly nextTryAt: string | null
  /** The number of waiting deliveries, up to a thousand. */
  readonly waiting: number
}

/** The numbers of pending deliveries, and of those whose last attempt failed. */
export interface Backlog {
  readonly pending: number
  readonly failing: number
  /** When the oldest pending one was created; null if there is none. */
  readonly oldest: string | null
}

/** A delivery that is claimed. */
export interface DeliveryClaim {
  readonly webhook: string
  readonly number: number
}

export interface ClaimedDeliveries {
  readonly deliveries: readonly ClaimedDelivery[]
  /** Whether the feed has more to claim at once. */
  readonly more: boolean
}

export interface ClaimedDelivery extends DeliveryClaim {
  readonly url: string
  /** The current secret, and the previous one during its overlap. */
  readonly secrets: readonly string[]
  /** The event as JSON text; absent if it was purged. */
  readonly event: string | null
  /** Failed attempts since it was last requested. */
  readonly failures: number
}

export interface DeliveryResult extends DeliveryClaim {
  readonly at: string
  readonly status: 'delivered' | 'pending' | 'failed' | 'cancelled'
  /** Milliseconds to the next attempt; set while it is pending. */
  readonly nextTryIn: number | null
  readonly responseStatus: number | null
  readonly duration: number
  /** The beginning of the answer. */
  readonly answer: string | null
  readonly error: string | null
  /** The reason why the webhook ends; set if the receiver answered 410. */
  readonly ends?: string
}

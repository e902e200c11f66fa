import type { WebhookChange, WebhookRefusal } from '../../model/webhook/change.ts'
import type { StoredWebhook } from '../../model/webhook/webhook.ts'

/** Where webhooks and their deliveries are kept. Lists of both are pages like every collection's. */
export interface WebhookStore {
  /** Hears of the events from now on. */
  add(webhook: StoredWebhook): Promise<void>
  find(id: string): Promise<StoredWebhook | undefined>
  change(change: WebhookChange): Promise<WebhookOutcome>
  /** A delivery as JSON text. */
  delivery(webhook: string, number: number): Promise<string | undefined>
  /** Makes a delivery due at once, whatever became of it; nothing when there is none. */
  redeliver(webhook: string, number: number): Promise<string | undefined>
  /**
   * Says what became of deliveries that were taken, makes deliveries of what the feed has for active webhooks, and
   * takes those that are due, all in one transaction: what waited for a settled one is taken at once. What is taken
   * is nobody else's until its time is over, by the database's clock.
   */
  take(request: ClaimRequest, results: readonly DeliveryResult[]): Promise<ClaimedDeliveries>
  /** Only says what became of them. */
  settle(results: readonly DeliveryResult[]): Promise<void>
  /**
   * Keeps what we hold for so many milliseconds from now on, and frees what those had taken who have died. Where the
   * clock went back, waits are counted from now.
   */
  renew(held: readonly Held[], lease: number): Promise<void>
  /** Gives back what we took and did not settle. */
  release(): Promise<void>
  /** Removes some of what was finished before an instant, and of removed webhooks; says whether there may be more. */
  trim(before: string): Promise<boolean>
  backlog(): Promise<Backlog>
}

/** Deliveries that are not finished, and those of them whose last try failed. */
export interface Backlog {
  readonly pending: number
  readonly failing: number
}

export type WebhookOutcome =
  | { readonly kind: 'saved' | 'removed'; readonly webhook: StoredWebhook }
  | { readonly kind: 'refused'; readonly refusal: WebhookRefusal }

/** A delivery that was taken. */
export interface Held {
  readonly webhook: string
  readonly number: number
}

export interface ClaimRequest {
  /** For how many milliseconds it is taken. */
  readonly lease: number
  readonly most: number
  /** At most so many of each webhook, but for those listed. */
  readonly ofEach: number
  readonly of: { readonly [webhook: string]: number }
  /** The webhook behind which to begin, so that each gets its turn. */
  readonly behind: string
}

export interface ClaimedDeliveries {
  readonly deliveries: readonly ClaimedDelivery[]
  /** Whether the feed has more that could be taken at once. */
  readonly more: boolean
}

export interface ClaimedDelivery extends Held {
  readonly url: string
  /** The one to sign with, and the one before while that holds. */
  readonly secrets: readonly string[]
  /** The event as JSON text; nothing when it was purged. */
  readonly event: string | null
  /** How often it failed since it was last asked for. */
  readonly failures: number
}

export interface DeliveryResult extends Held {
  readonly at: string
  readonly status: 'delivered' | 'pending' | 'failed' | 'cancelled'
  /** Milliseconds to the next try; set while it is pending. */
  readonly nextTryIn: number | null
  readonly responseStatus: number | null
  readonly duration: number
  /** How the answer began. */
  readonly answer: string | null
  readonly error: string | null
  /** Set when the receiver wants no more: why. */
  readonly ends?: string
}

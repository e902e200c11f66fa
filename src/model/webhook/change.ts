import { checkGuard, type Guard, type GuardRefusal, type State } from '../../values/guard.ts'
import { notBefore } from '../../values/kinds/time.ts'
import type { StoredWebhook } from './webhook.ts'

/** A requested change of a webhook. */
export type WebhookChange = { readonly id: string; readonly guard: Guard; readonly dryRun: boolean } & (
  | { readonly kind: 'remove' }
  | { readonly kind: 'rotate'; readonly secret: string; readonly previousUntil: string }
)

export type WebhookRefusal = { readonly code: 'webhook-not-found'; readonly webhook: string } | GuardRefusal

export type WebhookVerdict =
  | { readonly save: StoredWebhook }
  | { readonly remove: StoredWebhook }
  | { readonly refused: WebhookRefusal }

export function decideWebhookChange(
  change: WebhookChange,
  webhook: StoredWebhook | undefined,
  now: string,
): WebhookVerdict {
  if (webhook === undefined) return { refused: { code: 'webhook-not-found', webhook: change.id } }
  const stale = checkGuard(change.guard, webhookState(webhook))
  if (stale !== undefined) return { refused: stale }
  if (change.kind === 'remove') return { remove: webhook }
  return {
    save: {
      ...webhook,
      secret: change.secret,
      previousSecret: webhook.secret,
      previousSecretUntil: change.previousUntil,
      updatedAt: notBefore(webhook.updatedAt, now),
      revision: webhook.revision + 1,
    },
  }
}

/** The state before revision 2 began at the creation; for later revisions it is not known when. */
export const webhookState = (webhook: StoredWebhook): State => ({
  revision: webhook.revision,
  updatedAt: webhook.updatedAt,
  previousAt: webhook.revision === 1 ? null : webhook.revision === 2 ? webhook.createdAt : webhook.updatedAt,
})

/** The receiver said that it is gone. */
export const endedWebhook = (webhook: StoredWebhook, endedBecause: string, now: string): StoredWebhook => ({
  ...webhook,
  status: 'ended',
  endedAt: now,
  endedBecause,
  updatedAt: notBefore(webhook.updatedAt, now),
  revision: webhook.revision + 1,
})

import type { StoredWebhook } from '../../../model/nouns/webhook/webhook.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import type { Call } from '../../contract/endpoint.ts'
import { noSuch, type Problem } from '../../contract/problems/problem.ts'

/** Shared by the endpoints of webhooks and deliveries, which only admins use. */
export const admin = { role: 'admin', offers: 'resource' } as const

type FoundWebhook = { readonly webhook: StoredWebhook } | { readonly problem: Problem }

/** The webhook that the address names. */
export async function findWebhook({ params, service }: Call): Promise<FoundWebhook> {
  const id = params.id ?? ''
  const webhook = isUuid(id) ? await service.store.webhooks.find(id) : undefined
  return webhook === undefined ? { problem: { code: 'webhook-not-found', detail: noSuch('webhook', id) } } : { webhook }
}

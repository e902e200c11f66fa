import type { StoredWebhook } from '../../../model/webhook/webhook.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { type Call, JSON_OR_FORM } from '../../contract/endpoint.ts'
import { type Problem, refusalProblem } from '../../contract/problems/problem.ts'

/** Shared by the endpoints of webhooks and deliveries, which only admins use. */
export const admin = { role: 'admin', offers: 'resource' } as const
export const writing = { ...admin, method: 'POST', reads: JSON_OR_FORM, parameters: ['dry-run'] } as const

type FoundWebhook = { readonly webhook: StoredWebhook } | { readonly problem: Problem }

/** The webhook that the address names. */
export async function findWebhook({ params, service }: Call): Promise<FoundWebhook> {
  const id = params.id ?? ''
  const webhook = isUuid(id) ? await service.store.webhooks.find(id) : undefined
  return webhook === undefined ? { problem: refusalProblem({ code: 'webhook-not-found', webhook: id }) } : { webhook }
}

import { messageId } from '../../../model/nouns/webhook/signature.ts'
import type { StoredWebhook } from '../../../model/nouns/webhook/webhook.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { Document } from '../../../representations/document.ts'
import type { Call } from '../../contract/endpoint.ts'
import { auditedDocument } from '../../respond/audited-documents.ts'

/** A webhook, with its secret only if that was just created. */
export const webhookDocument = (webhook: StoredWebhook, { schema, service }: Call, secret?: string): Document =>
  auditedDocument(resourceNamed(schema, 'webhook'), webhook, service.addresses, {
    once: secret === undefined ? {} : { secret },
  })

/** Adds the message's id, which identifies the delivery for the receiver. */
export function presentDelivery(json: string, webhook: string): string {
  const { number } = JSON.parse(json) as { readonly number: number }
  return `{"id":"${messageId(webhook, number)}",${json.slice(1)}`
}

export function deliveryDocument(stored: string, webhook: string, { schema, service: { addresses } }: Call): Document {
  const json = presentDelivery(stored, webhook)
  const delivery = { ...(JSON.parse(json) as { readonly number: number }), webhook }
  return auditedDocument(resourceNamed(schema, 'delivery'), delivery, addresses, { json })
}

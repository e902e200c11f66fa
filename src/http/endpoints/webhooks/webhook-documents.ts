import { say } from '../../../languages/say.ts'
import type { Text } from '../../../languages/text.ts'
import { managedNamed } from '../../../model/managed/decide-managed.ts'
import { messageId } from '../../../model/webhook/signature.ts'
import type { StoredWebhook } from '../../../model/webhook/webhook.ts'
import type { Document, DocumentForm } from '../../../representations/document.ts'
import type { Call } from '../../contract/endpoint.ts'
import { managedDocument } from '../../respond/managed-documents.ts'

/** A webhook, with its secret only when that was just made. */
export function webhookDocument(webhook: StoredWebhook, { schema, service }: Call, secret?: string): Document {
  const self = service.addresses.webhook(webhook.id)
  const once = secret === undefined ? {} : { secret }
  return {
    ...managedDocument(managedNamed(schema, 'webhook'), webhook, service.addresses, { once }),
    forms: () => [
      form(say('Send a test event'), `${self}/tests`),
      form(say('New secret'), `${self}/rotations`),
      form(say('Remove'), `${self}/removals`),
    ],
  }
}

/** Adds the message's id, by which the receiver knows the delivery. */
export function presentDelivery(json: string, webhook: string): string {
  const { number } = JSON.parse(json) as { readonly number: number }
  return `{"id":"${messageId(webhook, number)}",${json.slice(1)}`
}

export function deliveryDocument(stored: string, webhook: string, { schema, service: { addresses } }: Call): Document {
  const json = presentDelivery(stored, webhook)
  const delivery = { ...(JSON.parse(json) as { readonly number: number }), webhook }
  return {
    ...managedDocument(managedNamed(schema, 'delivery'), delivery, addresses, { json }),
    forms: () => [form(say('Deliver again'), `${addresses.delivery(webhook, delivery.number)}/redeliveries`)],
  }
}

const form = (title: Text, action: string): DocumentForm => ({
  title,
  action,
  method: 'post',
  submit: title,
  fields: [],
  hidden: {},
})

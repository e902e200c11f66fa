import { say } from '../../../languages/say.ts'
import type { Text } from '../../../languages/text.ts'
import { messageId } from '../../../model/webhook/signature.ts'
import { webhook as declared, type StoredWebhook } from '../../../model/webhook/webhook.ts'
import type { Document, DocumentForm } from '../../../representations/document.ts'
import type { Addresses } from '../../contract/addresses.ts'

/** A webhook, with its secret only when that was just made. */
export function webhookDocument(webhook: StoredWebhook, addresses: Addresses, secret?: string): Document {
  const self = addresses.webhook(webhook.id)
  const links = { self, collection: addresses.webhooks, deliveries: `${self}/deliveries` }
  const shown = secret === undefined ? '' : `,"secret":${JSON.stringify(secret)}`
  return {
    title: say('Webhook to {address}', { address: webhook.url }),
    kind: 'resource',
    item: 'webhook',
    json: `${declared.toJson(webhook).slice(0, -1)}${shown},"links":${JSON.stringify(links)}}`,
    forms: () => [
      form(say('Send a test event'), `${self}/tests`),
      form(say('New secret'), `${self}/rotations`),
      form(say('Remove'), `${self}/removals`),
    ],
  }
}

/** Adds the message's id, by which the receiver knows the delivery. */
const withId = (json: string, webhook: string): string => {
  const { number } = JSON.parse(json) as { readonly number: number }
  return `{"id":"${messageId(webhook, number)}",${json.slice(1)}`
}

export const presentDelivery = withId

export function deliveryDocument(stored: string, webhook: string, addresses: Addresses): Document {
  const { number } = JSON.parse(stored) as { readonly number: number }
  const self = addresses.delivery(webhook, number)
  const links = { self, collection: `${addresses.webhook(webhook)}/deliveries`, webhook: addresses.webhook(webhook) }
  return {
    title: say('Delivery {number}', { number: String(number) }),
    kind: 'resource',
    item: 'delivery',
    json: `${withId(stored, webhook).slice(0, -1)},"links":${JSON.stringify(links)}}`,
    forms: () => [form(say('Deliver again'), `${self}/redeliveries`)],
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
